#pragma once
// The figure of the present view: options left, preview right. The preview is the picture that is written,
// only shown smaller; "Save" writes those very pixels.

#include "core/base/result.h"
#include "widgets/figure/figure_painter.h"
#include "widgets/session/job_slot.h"

#include <QDialog>
#include <QTimer>

#include <optional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
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
    // Paints what the options say, if it is not painted yet.
    const QImage& picture();
    Status writeTo(const QString& path);
    bool isReady() const; // the file's hash is known

Q_SIGNALS:
    void ready();
    void saved(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeOptions();
    QWidget* makeButtons();
    void readHash();
    void changed();
    void showPreview();
    void save();
    void copy();

    TimelineViewModel& m_model;
    FigureFonts m_fonts;
    QString m_hash;
    std::optional<QImage> m_picture;
    QTimer m_soon; // merges quick changes of the options
    QLineEdit *m_title, *m_subtitle;
    QComboBox *m_range, *m_theme;
    QSpinBox *m_width, *m_height;
    QCheckBox* m_autoHeight;
    QDoubleSpinBox* m_scale;
    QCheckBox *m_showTitle, *m_showAxis, *m_showLegend, *m_showCallouts, *m_showProvenance;
    QLabel *m_preview, *m_message;
    QPushButton *m_save, *m_copy;
    JobSlot m_job; // last: its destructor waits
};

} // namespace lacuna::ui
