// A measuring stick: reads a Kineto trace the way a program on simdjson's On-Demand interface would, whole
// document in memory, the fields that a timeline needs, and prints a checksum. It builds no model.
// Usage: simdjson_ondemand FILE

#include <cstdint>
#include <cstdio>
#include <simdjson.h>
#include <string_view>

namespace {

using namespace simdjson;

struct Sums {
    std::uint64_t events = 0, names = 0, correlations = 0;
    double times = 0;
};

void addEvent(ondemand::object event, Sums& sums) {
    ++sums.events;
    for (auto field : event) {
        std::string_view key;
        if (field.unescaped_key().get(key))
            return;
        if (key == "name") {
            std::string_view name;
            if (!field.value().get_string().get(name))
                sums.names += name.size();
        } else if (key == "ts" || key == "dur") {
            double time = 0;
            if (!field.value().get_double().get(time))
                sums.times += time;
        } else if (key == "args") {
            ondemand::object args;
            if (field.value().get_object().get(args))
                continue;
            std::uint64_t id = 0;
            if (!args["correlation"].get_uint64().get(id))
                sums.correlations += id;
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    padded_string text;
    if (padded_string::load(argv[1]).get(text)) {
        std::fprintf(stderr, "cannot read %s\n", argv[1]);
        return 3;
    }
    ondemand::parser parser;
    ondemand::document document;
    ondemand::array events;
    if (parser.iterate(text).get(document) || document["traceEvents"].get_array().get(events)) {
        std::fprintf(stderr, "no traceEvents array in %s\n", argv[1]);
        return 3;
    }
    Sums sums;
    for (auto event : events) {
        ondemand::object object;
        if (!event.get_object().get(object))
            addEvent(object, sums);
    }
    std::printf("%llu events, names %llu, correlations %llu, times %.0f\n",
                static_cast<unsigned long long>(sums.events), static_cast<unsigned long long>(sums.names),
                static_cast<unsigned long long>(sums.correlations), sums.times);
    return 0;
}
