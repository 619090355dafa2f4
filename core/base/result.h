#pragma once
// Error values. A caller's bug is an assert; input and environment are a Result; imperfect but usable input
// is counted in the ImportReport and loading goes on. No exception but std::bad_alloc leaves core.

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace lacuna {

enum class Errc : std::uint8_t { Cancelled, Io, NotRecognised, Malformed, Truncated, Unsupported, TooLarge };

// English text for people: what was found (detail), where (place: "byte 1234", "table X, row 5"; may be
// empty) and one next action (remedy).
struct Error {
    Errc code = Errc::Io;
    std::string detail;
    std::string place;
    std::string remedy;
};

// What every cancelled job answers; callers say it in their own words, if at all.
inline Error cancelledError() {
    return {Errc::Cancelled, "Stopped.", {}, {}};
}

template <class T> class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}
    explicit operator bool() const noexcept { return m_state.index() == 0; }
    T& operator*() & { return *std::get_if<0>(&m_state); }
    const T& operator*() const& { return *std::get_if<0>(&m_state); }
    T&& operator*() && { return std::move(*std::get_if<0>(&m_state)); }
    T* operator->() { return std::get_if<0>(&m_state); }
    const T* operator->() const { return std::get_if<0>(&m_state); }
    const Error& error() const { return *std::get_if<1>(&m_state); }

private:
    std::variant<T, Error> m_state;
};

using Status = Result<std::monostate>;
inline Status ok() {
    return std::monostate{};
}

} // namespace lacuna
