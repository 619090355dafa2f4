#pragma once
// Kernels by launch configuration, name, function or family; a row walks its launches.

#include "widgets/kernels/kernel_study.h"
#include "widgets/panels/panel.h"
#include "widgets/tables/report_table_view.h"

#include <QTimer>

class QComboBox;
class QLabel;
class QPushButton;

namespace lacuna::ui {

class TableTools;

class KernelsPanel : public Panel {
    Q_OBJECT
public:
    KernelsPanel(const PanelContext& context, QWidget* parent);
    ~KernelsPanel() override;

    KernelStudy& study() { return m_study; }
    QString title() const override { return tr("Kernels"); }
    QWidget* tabTools() override;
    void takeFocus() override;
    void setThemePalette(const ThemePalette& palette) override;
    QVariantMap kept() const override;
    void restore(const QVariantMap& kept) override;

Q_SIGNALS:
    // A person went to a row: of KernelFacts::bundles.
    void kernelPointed(std::size_t bundle);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeFoot();
    void connectStudy();
    void refresh();
    void show();
    void showProgress();
    void open(std::uint32_t row, bool again);

    PanelContext m_context;
    ReportViewState m_state; // kept while the window lives
    std::optional<TimeRange> m_range;
    bool m_isStale = true;
    QTimer m_soon;
    qint64 m_startedMs = 0;
    ReportTableView* m_table;
    TableTools* m_tools;
    QComboBox* m_grouping;
    QLabel* m_notes;
    QPushButton* m_cancel;
    KernelStudy m_study; // last: its destructor waits for jobs
};

} // namespace lacuna::ui
