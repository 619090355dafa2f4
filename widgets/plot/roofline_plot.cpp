#include "widgets/plot/roofline_plot.h"

#include "core/base/si_text.h"
#include "core/view/short_name.h"
#include "widgets/plot/log_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace lacuna::ui {

namespace {

constexpr double kMargin = 40, kAxisRoom = 46, kLabelRoom = 56, kHeadRoom = 96, kRowHeight = 20,
                 kTickSpacing = 48;
constexpr std::size_t kNamedLevels = 8; // kernels; with more, the names of levels would cover one another
constexpr std::array<RoofLevel, kRoofLevels> kLevels{RoofLevel::Dram, RoofLevel::L2, RoofLevel::L1};

QString qtext(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// "10 T"
QString decadeOf(double value) {
    constexpr std::array<const char*, 7> kPrefixes{"", "k", "M", "G", "T", "P", "E"};
    const int exponent = static_cast<int>(std::lround(std::log10(value)));
    const int prefix = std::clamp(exponent >= 0 ? exponent / 3 : 0, 0, 6);
    const QString number = QString::number(value / std::pow(1000.0, prefix), 'g', 4);
    return prefix == 0 ? number : number + u' ' + QLatin1String(kPrefixes[static_cast<std::size_t>(prefix)]);
}

class RooflineScene {
public:
    RooflineScene(const RooflinePlotInput& input, const FigureFonts& fonts)
        : m_in(input), m_fonts(fonts), m_palette(ThemePalette::of(input.theme)),
          m_ranked(rankedPoints(input)) {
        m_scene.size = input.size;
        m_scene.ground = m_palette.ink(Ink::Ground);
        const double rows = static_cast<double>(std::min(m_ranked.size(), kListedKernels)) + 1.5 +
                            (m_ranked.size() > kListedKernels ? 1 : 0);
        const double listHeight =
            std::min(rows * kRowHeight, std::max(0.0, input.size.height() / 2.0 - kHeadRoom));
        m_plot = QRectF(kMargin + kLabelRoom, kHeadRoom, input.size.width() - 2 * kMargin - kLabelRoom,
                        input.size.height() - kHeadRoom - kAxisRoom - listHeight - kMargin / 2);
        m_listRows = static_cast<std::size_t>(std::max(0.0, listHeight / kRowHeight - 1.5));
    }

    PlotScene make() {
        findRanges();
        addHead();
        addGrid();
        addRoofs();
        addLevels();
        addPoints();
        addList();
        return std::move(m_scene);
    }

private:
    // One point a kernel: over DRAM, else the first level it has; most headroom first.
    static std::vector<RooflinePoint> rankedPoints(const RooflinePlotInput& input) {
        std::vector<RooflinePoint> points;
        for (const RoofLevel level : kLevels)
            for (const RooflinePoint& point : byHeadroom(*input.roofline, input.precision, level))
                if (std::none_of(points.begin(), points.end(),
                                 [&](const RooflinePoint& p) { return p.kernel == point.kernel; }))
                    points.push_back(point);
        std::stable_sort(points.begin(), points.end(), [](const RooflinePoint& a, const RooflinePoint& b) {
            return a.headroom() > b.headroom();
        });
        return points;
    }

    // The highest roofs of the file: clocks differ a little from launch to launch.
    void findRanges() {
        double leastX = 1, mostX = 1, leastY = 1e300;
        bool isFirst = true;
        for (const RooflinePoint& point : m_in.roofline->points) {
            if (point.precision != m_in.precision)
                continue;
            m_peak = std::max(m_peak, point.peakFlopPerSecond);
            double& bandwidth = m_bandwidth[static_cast<std::size_t>(point.level)];
            bandwidth = std::max(bandwidth, point.peakBytesPerSecond);
            leastX = isFirst ? point.flopPerByte : std::min(leastX, point.flopPerByte);
            mostX = isFirst ? point.flopPerByte : std::max(mostX, point.flopPerByte);
            leastY = std::min(leastY, point.flopPerSecond);
            isFirst = false;
        }
        for (const double bandwidth : m_bandwidth)
            if (bandwidth > 0) { // the ridge, where memory stops being the roof
                leastX = std::min(leastX, m_peak / bandwidth / 4);
                mostX = std::max(mostX, m_peak / bandwidth * 4);
            }
        m_x.emplace(leastX / 1.5, mostX * 1.5, m_plot.left(), m_plot.right());
        m_y.emplace(leastY / 1.5, m_peak * 1.5, m_plot.bottom(), m_plot.top());
    }

    void add(QPointF baseline, const QString& text, Ink ink, double size,
             PlotText::Anchor anchor = PlotText::Anchor::Left, Face face = Face::Regular, double angle = 0) {
        m_scene.items.emplace_back(PlotText{baseline, text, face, size, m_palette.ink(ink), anchor, angle});
    }

    void addHead() {
        m_scene.title = QStringLiteral("Roofline, %1").arg(qtext(m_in.precision));
        const std::size_t all = m_in.file->kernels.size();
        QString subtitle =
            QStringLiteral("%1 of %2 kernels of %3 do %4 work; rates and clocks of the profiled run")
                .arg(m_ranked.size())
                .arg(all)
                .arg(qtext(m_in.file->fileName), qtext(m_in.precision));
        const double width = m_scene.size.width() - 2 * kMargin;
        add({kMargin, 40}, m_scene.title, Ink::Text, 23, PlotText::Anchor::Left, Face::SemiBold);
        add({kMargin, 61}, m_fonts.style(Face::Regular, 13).elided(subtitle, width), Ink::TextSecondary, 13);
        m_scene.description = subtitle;
    }

    void addGrid() {
        const QRgb line = m_palette.ink(Ink::InnerLine);
        for (const LogTick& tick : m_x->ticks(kTickSpacing)) {
            const double x = m_x->at(tick.value);
            m_scene.items.emplace_back(PlotLine{{{x, m_plot.top()}, {x, m_plot.bottom()}}, line, 1, false});
            if (tick.isLabelled)
                add({x, m_plot.bottom() + 18}, decadeText(tick.value), Ink::TextSecondary, 12.5,
                    PlotText::Anchor::Middle);
        }
        for (const LogTick& tick : m_y->ticks(24)) {
            const double y = m_y->at(tick.value);
            m_scene.items.emplace_back(PlotLine{{{m_plot.left(), y}, {m_plot.right(), y}}, line, 1, false});
            if (tick.isLabelled)
                add({m_plot.left() - 8, m_fonts.style(Face::Regular, 12.5).baselineCentredOn(y)},
                    decadeOf(tick.value), Ink::TextSecondary, 12.5, PlotText::Anchor::Right);
        }
        m_scene.items.emplace_back(PlotLine{
            {m_plot.bottomLeft(), m_plot.bottomRight()}, m_palette.ink(Ink::TextSecondary), 1, false});
        add({m_plot.right(), m_plot.bottom() + 36}, QStringLiteral("FLOP per byte"), Ink::TextSecondary, 12.5,
            PlotText::Anchor::Right);
        add({m_plot.left() - 8, m_plot.top() - 14}, QStringLiteral("FLOP/s"), Ink::TextSecondary, 12.5,
            PlotText::Anchor::Right);
    }

    void addRoofs() {
        double leftmost = m_plot.right(), above = 0; // bandwidth of the roof above
        for (std::size_t l = kRoofLevels; l-- > 0;) {
            const double bandwidth = m_bandwidth[l];
            if (bandwidth <= 0)
                continue;
            const double ridge = m_peak / bandwidth;
            // From where it enters the plot, at the left edge or at the bottom.
            const double enters = std::max(m_x->least(), m_y->least() / bandwidth);
            if (enters >= ridge)
                continue;
            const bool isMain = l == 0;
            const QPointF from(m_x->at(enters), m_y->at(enters * bandwidth)),
                to(m_x->at(ridge), m_y->at(m_peak));
            m_scene.items.emplace_back(PlotLine{{from, to},
                                                m_palette.ink(isMain ? Ink::Text : Ink::TextSecondary),
                                                isMain ? 1.5 : 1.0,
                                                !isMain});
            leftmost = std::min(leftmost, to.x());
            const double room = above > 0 ? std::abs(m_y->at(above) - m_y->at(bandwidth)) : m_plot.height();
            addSlopeLabel(from, to, qtext(roofLevelName(kLevels[l])) + u' ' + qtext(siText(bandwidth, "B/s")),
                          l, room);
            above = bandwidth;
        }
        const double y = m_y->at(m_peak);
        m_scene.items.emplace_back(
            PlotLine{{{leftmost, y}, {m_plot.right(), y}}, m_palette.ink(Ink::Text), 1.5, false});
        const QString peak = qtext(siText(m_peak, "FLOP/s"));
        add({m_plot.right() - 6, y - 7}, peak, Ink::Text, 12.5, PlotText::Anchor::Right);
        const double width = m_fonts.style(Face::Regular, 12.5).width(peak);
        m_taken.emplace_back(m_plot.right() - 8 - width, y - 19, width + 4, 14);
    }

    // Along the slope, above it, or below where the roof above is too near (`room` px up); each level at
    // another height so that labels of parallels do not meet.
    void addSlopeLabel(QPointF from, QPointF to, const QString& text, std::size_t level, double room) {
        const QPointF along = to - from;
        const double length = std::hypot(along.x(), along.y());
        if (length < m_fonts.style(Face::Regular, 12).width(text) + 24)
            return;
        const double share = 0.72 - 0.16 * static_cast<double>(level);
        const double angle = std::atan2(along.y(), along.x());
        // px across the slope; "/" goes below the baseline
        constexpr double kLabelRoom12 = 26, kCapital = 9, kAir = 8;
        const double offset = room * std::cos(angle) < kLabelRoom12 ? -kAir - kCapital : kAir;
        const QPointF up(std::sin(angle) * offset, -std::cos(angle) * offset);
        constexpr double kDegrees = 57.29577951308232;
        add(from + along * share + up, text, Ink::TextSecondary, 12, PlotText::Anchor::Middle, Face::Regular,
            angle * kDegrees);
    }

    QString tipOf(const RooflinePoint& point) const {
        return QStringLiteral("%1, %2: %3 FLOP per byte, %4, %5 times below the roof")
            .arg(qtext(m_in.file->nameOf(m_in.file->kernels[point.kernel])),
                 qtext(roofLevelName(point.level)), qtext(threeDigits(point.flopPerByte)),
                 qtext(siText(point.flopPerSecond, "FLOP/s")), qtext(threeDigits(point.headroom())));
    }

    // The other levels of a kernel, rings on the height of its dot.
    void addLevels() {
        const QRgb dot = m_palette.ink(Ink::Kernel);
        std::vector<PlotDot> rings;
        for (const RooflinePoint& main : m_ranked)
            for (const RooflinePoint& point : m_in.roofline->points) {
                if (point.kernel != main.kernel || point.precision != main.precision ||
                    point.level == main.level)
                    continue;
                const QPointF at(m_x->at(point.flopPerByte), m_y->at(point.flopPerSecond));
                m_scene.items.emplace_back(PlotLine{
                    {at, {m_x->at(main.flopPerByte), at.y()}}, m_palette.ink(Ink::Border), 1, false});
                rings.push_back(PlotDot{at, 3, dot, false, tipOf(point)});
                if (m_ranked.size() <= kNamedLevels)
                    add(at + QPointF(0, 17), qtext(roofLevelName(point.level)), Ink::TextSecondary, 11,
                        PlotText::Anchor::Middle);
                m_taken.emplace_back(at.x() - 9, at.y() - 4, 18, 24);
            }
        m_scene.items.insert(m_scene.items.end(), rings.begin(), rings.end());
    }

    void addPoints() {
        const auto dotOf = [this](const RooflinePoint& p) {
            return QPointF(m_x->at(p.flopPerByte), m_y->at(p.flopPerSecond));
        };
        for (auto point = m_ranked.rbegin(); point != m_ranked.rend(); ++point) { // the first on top
            const QPointF at = dotOf(*point);
            m_scene.items.emplace_back(PlotDot{at, 5, m_palette.ink(Ink::Kernel), true, tipOf(*point)});
            m_taken.emplace_back(at.x() - 5, at.y() - 5, 10, 10);
        }
        for (std::size_t i = 0; i < m_ranked.size() && i < m_listRows; ++i)
            addNumber(dotOf(m_ranked[i]), QString::number(i + 1));
    }

    // Beside a dot, where nothing stands yet.
    void addNumber(QPointF dot, const QString& number) {
        const TextStyle style = m_fonts.style(Face::SemiBold, 12.5);
        const QSizeF size(style.width(number) + 2, 12);
        const double left = -8 - size.width(), middle = -size.width() / 2;
        const std::array<QPointF, 6> places{
            {{8, -16}, {8, 4}, {left, -16}, {left, 4}, {middle, -20}, {middle, 8}}};
        QRectF place(dot + places[0], size);
        for (const QPointF& offset : places) {
            const QRectF candidate(dot + offset, size);
            if (std::none_of(m_taken.begin(), m_taken.end(),
                             [&](const QRectF& taken) { return taken.intersects(candidate); })) {
                place = candidate;
                break;
            }
        }
        m_taken.push_back(place);
        add({place.left() + 1, style.baselineCentredOn(place.center().y())}, number, Ink::Text, 12.5,
            PlotText::Anchor::Left, Face::SemiBold);
    }

    QString labelOf(const RooflinePoint& point) const {
        const auto forms = shortNames(m_in.file->nameOf(m_in.file->kernels[point.kernel]), EventKind::Kernel);
        return forms.empty() ? QString() : qtext(forms.front());
    }

    void addList() {
        if (m_listRows == 0)
            return;
        const double top = m_plot.bottom() + kAxisRoom + kRowHeight, right = m_scene.size.width() - kMargin;
        const std::array<double, 4> columns{right, right - 130, right - 270, right - 400};
        const double nameWidth = columns[3] - 100 - kMargin - 26;
        const auto row = [&](double y, const std::array<QString, 4>& fields, Ink ink, double size) {
            for (std::size_t c = 0; c < fields.size(); ++c)
                add({columns[c], y}, fields[c], ink, size, PlotText::Anchor::Right);
        };
        add({kMargin + 26, top}, QStringLiteral("kernel, most headroom first"), Ink::TextSecondary, 12);
        row(top,
            {QStringLiteral("below the roof"), QStringLiteral("roof"), QStringLiteral("FLOP/s"),
             QStringLiteral("FLOP per byte")},
            Ink::TextSecondary, 12);
        m_scene.items.emplace_back(
            PlotRect{QRectF(kMargin, top + 6, right - kMargin, 1), m_palette.ink(Ink::Border)});
        const TextStyle mono = m_fonts.style(Face::Mono, 12);
        for (std::size_t i = 0; i < m_ranked.size() && i < m_listRows; ++i) {
            const RooflinePoint& point = m_ranked[i];
            const double y = top + kRowHeight * static_cast<double>(i + 1) + 3;
            add({kMargin + 16, y}, QString::number(i + 1), Ink::Text, 12.5, PlotText::Anchor::Right,
                Face::SemiBold);
            const QString name = labelOf(point);
            add({kMargin + 26, y}, mono.elided(name, nameWidth), Ink::Text, 12, PlotText::Anchor::Left,
                Face::Mono);
            row(y,
                {qtext(threeDigits(point.headroom())) + QStringLiteral(" times"),
                 point.isMemoryRoof() ? qtext(roofLevelName(point.level)) : qtext(point.precision),
                 qtext(siText(point.flopPerSecond, {})), qtext(threeDigits(point.flopPerByte))},
                Ink::Text, 12.5);
            m_scene.description += QStringLiteral(" %1. %2.").arg(QString::number(i + 1), tipOf(point));
        }
        if (m_ranked.size() > m_listRows)
            add({kMargin + 26, top + kRowHeight * static_cast<double>(m_listRows + 1) + 3},
                QStringLiteral("and %1 more").arg(m_ranked.size() - m_listRows), Ink::TextSecondary, 12);
    }

    const RooflinePlotInput& m_in;
    const FigureFonts& m_fonts;
    ThemePalette m_palette;
    std::vector<RooflinePoint> m_ranked;
    PlotScene m_scene;
    QRectF m_plot;
    std::size_t m_listRows = 0;
    double m_peak = 0;
    std::array<double, kRoofLevels> m_bandwidth{};
    std::optional<LogAxis> m_x, m_y;
    std::vector<QRectF> m_taken; // by texts and dots
};

} // namespace

PlotScene rooflineScene(const RooflinePlotInput& input, const FigureFonts& fonts) {
    return RooflineScene(input, fonts).make();
}

} // namespace lacuna::ui
