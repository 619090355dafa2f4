#pragma once
// Kernels by launch configuration, name, function or family; a row walks its launches.

#include "widgets/kernels/kernel_study.h"
#include "widgets/panels/table_panel.h"

#include <QTimer>

class QComboBox;
class QPushButton;

namespace lacuna::ui {

class KernelsPanel : public TablePanel {
    Q_OBJECT
public:
    KernelsPanel(const PanelContext& context, QWidget* parent);
    ~KernelsPanel() override;

    KernelStudy& study() { return m_study; }
    QString title() const override { return tr("Kernels"); }
    QVariantMap kept() const override;
    void restore(const QVariantMap& kept) override;

Q_SIGNALS:
    // A person went to a row: of KernelFacts::bundles.
    void kernelPointed(std::size_t bundle);

protected:
    void bringUpToDate() override { refresh(); }

private:
    QWidget* makeFoot();
    void connectStudy();
    void refresh();
    void show();
    void showProgress();
    void open(std::uint32_t row, bool again);

    std::optional<TimeRange> m_range;
    QTimer m_soon;
    qint64 m_startedMs = 0;
    QComboBox* m_grouping;
    QPushButton* m_cancel;
    KernelStudy m_study; // last: its destructor waits for jobs
};

} // namespace lacuna::ui
