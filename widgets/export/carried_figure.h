#pragma once
// A marked range that is dragged out of the window: its figure, as the export dialog would first offer it,
// goes to where it is dropped, as picture, drawing, text and file.

#include "widgets/export/figure_of_view.h"

#include <QObject>
#include <QTemporaryDir>

#include <memory>
#include <optional>

class QMimeData;

namespace lacuna::ui {

class CarriedFigure : public QObject {
    Q_OBJECT
public:
    // The model outlives it.
    explicit CarriedFigure(TimelineViewModel& model, QObject* parent = nullptr);

    // Reads the file for its hash and begins the drag then, from that widget, if the left button is still
    // held.
    void carry(Theme theme, QWidget* source);
    // What is dropped, and the picture. Null without a marked range, or when it cannot be painted. The file
    // lives as long as this object.
    std::unique_ptr<QMimeData> data(Theme theme, QImage& picture);

Q_SIGNALS:
    void said(const QString& sentence); // that it takes a moment, or why there is no figure

private:
    void begin(Theme theme, QWidget* source);

    TimelineViewModel& m_model;
    FigureFonts m_fonts;
    std::optional<QTemporaryDir> m_folder; // made with the first figure
    FigureProvenance m_provenance;
};

} // namespace lacuna::ui
