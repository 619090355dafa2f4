#pragma once
// The small, irregular part of a cache file: values one after the other, strings with their length in front.
// An Unpacker never reads behind its bytes: the first value that is not there or out of its range makes it
// fail, and everything after that is zero or empty.

#include "core/base/ids.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace lacuna {

class Packer {
public:
    template <class T> void value(T v) {
        static_assert(std::is_arithmetic_v<T>);
        m_bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
    }
    template <class E> void enumerator(E v) { value(static_cast<std::uint8_t>(v)); }
    void flag(bool v) { value(static_cast<std::uint8_t>(v)); }
    template <class Tag> void id(Id<Tag> v) { value(v.v); }
    void text(std::string_view v) {
        value(static_cast<std::uint64_t>(v.size()));
        m_bytes.append(v);
    }
    template <class T> void optional(const std::optional<T>& v) {
        flag(v.has_value());
        value(v.value_or(T{}));
    }
    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

class Unpacker {
public:
    explicit Unpacker(std::string_view bytes) : m_rest(bytes) {}

    template <class T> T value() {
        static_assert(std::is_arithmetic_v<T>);
        T v{};
        if (m_rest.size() < sizeof v) {
            fail();
            return v;
        }
        std::memcpy(&v, m_rest.data(), sizeof v);
        m_rest.remove_prefix(sizeof v);
        return v;
    }
    // Up to and including `last`.
    template <class E> E enumerator(E last) {
        const auto v = value<std::uint8_t>();
        if (v > static_cast<std::uint8_t>(last)) {
            fail();
            return E{};
        }
        return static_cast<E>(v);
    }
    bool flag() {
        const auto v = value<std::uint8_t>();
        if (v > 1)
            fail();
        return v == 1;
    }
    // None or below `count`.
    template <class I> I id(std::size_t count) {
        const I v{value<std::uint32_t>()};
        if (v && v.v >= count)
            fail();
        return v;
    }
    std::string text() {
        const auto size = value<std::uint64_t>();
        if (size > m_rest.size()) {
            fail();
            return {};
        }
        std::string v(m_rest.substr(0, size));
        m_rest.remove_prefix(size);
        return v;
    }
    template <class T> std::optional<T> optional() {
        const bool isThere = flag();
        const T v = value<T>();
        return isThere ? std::optional(v) : std::nullopt;
    }
    // A number of things to come, each of at least `least` bytes: never more than the bytes that are left.
    std::size_t count(std::size_t least) {
        const auto n = value<std::uint64_t>();
        if (n > m_rest.size() / least) {
            fail();
            return 0;
        }
        return static_cast<std::size_t>(n);
    }

    void fail() {
        m_failed = true;
        m_rest = {};
    }
    // Nothing failed and nothing is left.
    bool isComplete() const { return !m_failed && m_rest.empty(); }
    bool failed() const { return m_failed; }

private:
    std::string_view m_rest;
    bool m_failed = false;
};

} // namespace lacuna
