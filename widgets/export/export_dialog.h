#pragma once
// The figure of the present view: options left, preview right. The preview is the picture that is written,
// only shown smaller; "Save" writes those very pixels, or the same frame as SVG or PDF.

#include "core/base/result.h"
#include "widgets/export/figure_of_view.h"

#include <QDialog>
#include <QTemporaryDir>
#include <QTimer>

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QMimeData;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace lacuna::ui {

class TimelineViewModel;

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    // The model's document stays open while the dialog is shown (it is modal to the window).
    ExportDialog(TimelineViewModel& model, Theme theme, QWidget* parent = nullptr);
    ~ExportDialog() override;

    FigureInput input() const;
    // The gaps of a contact sheet; empty: one figure is wanted.
    std::vector<GapId> sheet() const;
    // Paints what the options say, if it is not painted yet.
    const QImage& picture();
    FigureFormat format() const;
    // In the format that the name's ending tells, else in the chosen one.
    Status writeTo(const QString& path);
    // What "Copy to clipboard" puts there: image/png, image/svg+xml and the alt text as text/plain. The
    // caller owns it; null when the figure cannot be made.
    std::unique_ptr<QMimeData> clipboardData();
    bool isReady() const; // the file's hash is known, and what was said of its steps
    // What dragging the preview out carries: the above, and the figure as a file in the chosen format that
    // lives as long as the dialog. Null as above.
    std::unique_ptr<QMimeData> dragData();

Q_SIGNALS:
    void ready();
    void saved(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeOptions();
    QWidget* makeFormats();
    QWidget* makeRange();
    void addLanes(QFormLayout& form);
    // Keys of lanes and groups that the list leaves out; none where lanes are as in the window.
    std::set<std::string> leftOutLanes() const;
    QWidget* makeButtons();
    void readProvenance();
    Status check() const;
    Result<QByteArray> png(); // of picture()
    void changed();
    void showPreview();
    void save();
    void copy();
    QString suggestedName() const; // "item_sync.png"

    TimelineViewModel& m_model;
    FigureFonts m_fonts;
    std::optional<QImage> m_picture;
    QTimer m_soon;                          // merges quick changes of the options
    std::array<QRadioButton*, 3> m_formats; // in the order of FigureFormat
    QLineEdit *m_title, *m_subtitle;
    QComboBox *m_range, *m_lanes, *m_theme;
    QSpinBox *m_step, *m_width, *m_height;
    QListWidget* m_laneList;
    QCheckBox* m_autoHeight;
    QDoubleSpinBox* m_scale;
    QCheckBox *m_showTitle, *m_showAxis, *m_showLegend, *m_showCallouts, *m_showProvenance, *m_altText,
        *m_embed, *m_hideNames;
    QLabel *m_preview, *m_message;
    std::optional<QPoint> m_pressed; // on the preview
    QTemporaryDir m_dragged;         // holds the file that a drag carries
    QPushButton *m_save, *m_copy;
    FigureProvenance m_provenance; // last: its destructor waits
};

} // namespace lacuna::ui
