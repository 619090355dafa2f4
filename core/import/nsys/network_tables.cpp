// Counters of network cards and switches: one track per (device, port, metric). A sample is the count of an
// interval; it stands at the interval's start.

#include "core/import/nsys/info_rows.h"
#include "core/import/nsys/nsys_reader.h"

#include <charconv>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace lacuna::nsys {

namespace {

using MetricKey = std::pair<std::int64_t, std::int64_t>; // list, place in the list

struct Metric {
    std::string name, unit;
};

class NetworkTracks {
public:
    explicit NetworkTracks(NsysReader& reader) : m_reader(reader) {
        InfoRows metrics(reader.db, "TARGET_INFO_NETWORK_METRICS",
                         {"metricsListId", "metricsIdx", "name", "unit"});
        while (metrics.next())
            if (metrics.integer(0) && metrics.integer(1))
                m_metrics.try_emplace({*metrics.integer(0), *metrics.integer(1)},
                                      Metric{oneLine(metrics.text(2)), oneLine(metrics.text(3))});
        std::map<std::int64_t, std::string> cards;
        InfoRows known(reader.db, "TARGET_INFO_NIC_INFO", {"nicId", "name"});
        while (known.next())
            if (known.integer(0))
                cards.try_emplace(*known.integer(0), oneLine(known.text(1)));
        InfoRows ids(reader.db, "NIC_ID_MAP", {"globalId", "nicId"});
        while (ids.next())
            if (ids.integer(0) && ids.integer(1))
                if (const auto card = cards.find(*ids.integer(1)); card != cards.end())
                    m_cards.try_emplace(*ids.integer(0), card->second);
    }

    CounterId track(std::string_view kind, std::int64_t device, std::int64_t port, MetricKey metric) {
        CounterId& counter = m_tracks[{std::string(kind), device, port, metric}];
        if (counter)
            return counter;
        const auto card = m_cards.find(device);
        std::string title = card != m_cards.end() && !card->second.empty()
                                ? card->second
                                : std::string(kind) + " " + std::to_string(device);
        if (port > 0)
            title += " port " + std::to_string(port);
        const auto known = m_metrics.find(metric);
        title += ": " +
                 (known != m_metrics.end() ? known->second.name : "metric " + std::to_string(metric.second));
        counter = m_reader.builder.counter(title, {}, {},
                                           known != m_metrics.end() ? known->second.unit : std::string());
        return counter;
    }

private:
    NsysReader& m_reader;
    std::map<MetricKey, Metric> m_metrics;
    std::map<std::int64_t, std::string> m_cards; // by globalId
    std::map<std::tuple<std::string, std::int64_t, std::int64_t, MetricKey>, CounterId> m_tracks;
};

std::optional<double> numberIn(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty())
        return std::nullopt;
    return number;
}

} // namespace

void loadNetworkMetrics(NsysReader& reader) {
    enum Column { Begin, Device, Port, List, Place, Value };
    std::optional<NetworkTracks> tracks;
    for (const auto& [table, kind] :
         {std::pair{"NET_NIC_METRIC", "network card"}, std::pair{"NET_IB_SWITCH_METRIC", "switch"}}) {
        TableRows rows(reader, table,
                       {"start", "globalId", "portId", "metricsListId", "metricsIdx", {"value", true}});
        while (rows.next()) {
            const auto at = rows.time();
            if (!at)
                continue;
            const auto place = rows.integer(Place);
            const auto value = numberIn(rows.text(Value)); // may be a fraction
            if (!place || !value) {
                rows.drop("bad_metric", "Metric samples without metric or value were left out.");
                continue;
            }
            if (!tracks)
                tracks.emplace(reader);
            reader.builder.addSample(tracks->track(kind, rows.integerOr(Device, 0), rows.integerOr(Port, 0),
                                                   {rows.integerOr(List, 0), *place}),
                                     *at, *value);
            rows.keep(EventKind::Counter);
        }
    }
}

} // namespace lacuna::nsys
