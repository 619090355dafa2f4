// Expressions to steps: a parser by descent makes a tree, the tree is laid out as steps.

#include "core/base/ascii.h"
#include "core/search/pattern.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lacuna {

namespace {

constexpr int kMostNested = 100;
constexpr int kMostRepeats = 1'000;
constexpr int kEndless = -1;

struct PatternNode {
    enum class Kind : std::uint8_t { Bytes, All, Any, Repeat, Begin, End } kind = Kind::All;
    ByteSet set;
    std::vector<PatternNode> parts; // All: one after the other; Any: alternatives; Repeat: the one part
    int least = 0, most = kEndless;
};

PatternNode bytesNode(const ByteSet& set) {
    PatternNode node;
    node.kind = PatternNode::Kind::Bytes;
    node.set = set;
    return node;
}

ByteSet bytesFrom(int first, int last) {
    ByteSet set;
    for (int b = first; b <= last; ++b)
        set.set(static_cast<std::size_t>(b));
    return set;
}

// A character of more than one byte: a leading byte and what follows it.
PatternNode wideCharacter() {
    PatternNode rest;
    rest.kind = PatternNode::Kind::Repeat;
    rest.most = 3;
    rest.parts.push_back(bytesNode(bytesFrom(0x80, 0xbf)));
    PatternNode node;
    node.parts.push_back(bytesNode(bytesFrom(0xc0, 0xff)));
    node.parts.push_back(std::move(rest));
    return node;
}

// One character: of the ASCII set, or any wide one.
PatternNode oneOf(const ByteSet& ascii, bool orWide) {
    if (!orWide)
        return bytesNode(ascii);
    PatternNode node;
    node.kind = PatternNode::Kind::Any;
    node.parts.push_back(bytesNode(ascii));
    node.parts.push_back(wideCharacter());
    return node;
}

ByteSet classOf(char letter) {
    ByteSet set;
    switch (lower(letter)) {
    case 'd':
        return bytesFrom('0', '9');
    case 'w':
        set = bytesFrom('0', '9') | bytesFrom('a', 'z') | bytesFrom('A', 'Z');
        set.set('_');
        return set;
    default:
        return bytesFrom('\t', '\r') | bytesFrom(' ', ' ');
    }
}

bool isClass(char c) {
    return std::string_view("dDwWsS").find(c) != std::string_view::npos;
}

class RegexParser {
public:
    RegexParser(std::string_view text, bool caseSensitive) : m_text(text), m_caseSensitive(caseSensitive) {}

    Result<PatternNode> parse() {
        PatternNode root = alternatives(0);
        if (!m_error && m_at < m_text.size())
            fail("A closing ) has no opening one.");
        if (m_error)
            return *m_error;
        return root;
    }

private:
    bool isAtEnd() const { return m_at >= m_text.size() || m_error; }
    char peek() const { return m_text[m_at]; }
    bool take(char c) {
        if (isAtEnd() || peek() != c)
            return false;
        ++m_at;
        return true;
    }
    void fail(std::string detail) {
        if (!m_error)
            m_error = Error{Errc::Malformed, std::move(detail), "character " + std::to_string(m_at + 1), {}};
    }

    PatternNode alternatives(int depth) {
        if (depth > kMostNested)
            fail("The expression is nested too deeply.");
        PatternNode node;
        node.kind = PatternNode::Kind::Any;
        do {
            node.parts.push_back(sequence(depth));
        } while (take('|'));
        return node.parts.size() == 1 ? std::move(node.parts.front()) : std::move(node);
    }

    PatternNode sequence(int depth) {
        PatternNode node;
        while (!isAtEnd() && peek() != '|' && peek() != ')')
            node.parts.push_back(repeated(atom(depth)));
        return node;
    }

    PatternNode repeated(PatternNode part) {
        for (;;) {
            PatternNode node;
            node.kind = PatternNode::Kind::Repeat;
            if (!repeats(node))
                return part;
            take('?'); // as short as possible: the same, where only yes or no is asked
            node.parts.push_back(std::move(part));
            part = std::move(node);
        }
    }

    bool repeats(PatternNode& node) {
        if (take('*'))
            return true;
        if (take('+')) {
            node.least = 1;
            return true;
        }
        if (take('?')) {
            node.most = 1;
            return true;
        }
        return !isAtEnd() && peek() == '{' && counts(node);
    }

    // {m}, {m,}, {m,n}; anything else after { is a plain character.
    bool counts(PatternNode& node) {
        const std::size_t before = m_at++;
        const auto least = number();
        std::optional<int> most = least;
        if (take(',')) {
            most = number();
            if (!most)
                most = kEndless;
        }
        if (!least || !take('}')) {
            m_at = before;
            return false;
        }
        if (*least > kMostRepeats || *most > kMostRepeats || (*most != kEndless && *most < *least))
            fail("The counts in { } are no range up to 1000.");
        node.least = *least;
        node.most = *most;
        return true;
    }

    std::optional<int> number() {
        std::optional<int> value;
        while (!isAtEnd() && isDigit(peek()) && value.value_or(0) <= kMostRepeats)
            value = value.value_or(0) * 10 + (m_text[m_at++] - '0');
        return value;
    }

    PatternNode atom(int depth) {
        const char c = m_text[m_at];
        PatternNode node;
        if (c == '{' || c == '}')
            return literal();
        ++m_at;
        switch (c) {
        case '.':
            return oneOf(bytesFrom(0, 0x7f), true);
        case '^':
            node.kind = PatternNode::Kind::Begin;
            return node;
        case '$':
            node.kind = PatternNode::Kind::End;
            return node;
        case '(':
            return group(depth);
        case '[':
            return bracket();
        case '\\':
            return escape();
        case '*':
        case '+':
        case '?':
            --m_at;
            fail("There is nothing to repeat here.");
            return node;
        default:
            --m_at;
            return literal();
        }
    }

    // One byte; bytes of a wide character follow one another by themselves, but count as one for * + ?.
    PatternNode literal() {
        PatternNode node;
        const auto isRest = [this] { return (static_cast<unsigned char>(peek()) & 0xc0U) == 0x80U; };
        do {
            node.parts.push_back(bytesNode(folded(bytesFrom(byteAt(m_at), byteAt(m_at)))));
            ++m_at;
        } while (!isAtEnd() && isRest());
        return node;
    }

    int byteAt(std::size_t at) const { return static_cast<unsigned char>(m_text[at]); }

    ByteSet folded(ByteSet set) const {
        if (m_caseSensitive)
            return set;
        for (int b = 'a'; b <= 'z'; ++b) {
            const auto small = static_cast<std::size_t>(b), large = small - ('a' - 'A');
            if (set.test(small) || set.test(large)) {
                set.set(small);
                set.set(large);
            }
        }
        return set;
    }

    PatternNode group(int depth) {
        if (take('?') && !take(':'))
            fail("Only (?: ) is known of the groups with a question mark.");
        PatternNode node = alternatives(depth + 1);
        if (!m_error && !take(')'))
            fail("A ( is not closed.");
        return node;
    }

    PatternNode escape() {
        if (isAtEnd()) {
            fail("There is nothing after the last backslash.");
            return {};
        }
        const char c = peek();
        if (isClass(c)) {
            ++m_at;
            const bool negated = c != lower(c);
            return oneOf(negated ? bytesFrom(0, 0x7f) & ~classOf(c) : classOf(c), negated);
        }
        const int byte = escapedByte();
        return bytesNode(folded(bytesFrom(byte, byte)));
    }

    // The byte that an escape other than a class stands for.
    int escapedByte() {
        const char c = m_text[m_at++];
        if (c == 't' || c == 'n')
            return c == 't' ? '\t' : '\n';
        if (c == 'x')
            return hexByte();
        if (isLetter(c) || isDigit(c)) {
            --m_at;
            fail(std::string(R"(\)") + c + " is not known here.");
        }
        return static_cast<unsigned char>(c);
    }

    int hexByte() {
        int byte = 0;
        for (int digit = 0; digit < 2; ++digit, ++m_at) {
            const char h = isAtEnd() ? ' ' : lower(peek());
            if (!isDigit(h) && (h < 'a' || h > 'f')) {
                fail(R"(Two hexadecimal digits are expected after \x.)");
                return 0;
            }
            byte = byte * 16 + (isDigit(h) ? h - '0' : h - 'a' + 10);
        }
        return byte;
    }

    PatternNode bracket() {
        const bool negated = take('^');
        ByteSet set;
        bool isFirst = true;
        for (; !isAtEnd() && (peek() != ']' || isFirst); isFirst = false) {
            const int from = member(set);
            if (from < 0)
                continue;
            int to = from;
            if (m_at + 1 < m_text.size() && peek() == '-' && m_text[m_at + 1] != ']') {
                ++m_at;
                to = member(set);
                if (to < from)
                    fail("A range inside [ ] runs backwards.");
            }
            set |= bytesFrom(from, to);
        }
        if (!m_error && !take(']'))
            fail("A [ is not closed.");
        set = folded(set);
        return oneOf(negated ? bytesFrom(0, 0x7f) & ~set : set, negated);
    }

    // One member of a bracket; -1 for a class, which is added by itself.
    int member(ByteSet& set) {
        const char c = peek();
        if (static_cast<unsigned char>(c) >= 0x80U) {
            fail("Only characters of ASCII may stand inside [ ].");
            return -1;
        }
        ++m_at;
        if (c != '\\')
            return c;
        if (isAtEnd()) {
            fail("There is nothing after the last backslash.");
            return -1;
        }
        if (!isClass(peek()))
            return escapedByte() & 0x7f;
        const char letter = m_text[m_at++];
        set |= letter == lower(letter) ? classOf(letter) : bytesFrom(0, 0x7f) & ~classOf(letter);
        return -1;
    }

    std::string_view m_text;
    bool m_caseSensitive;
    std::size_t m_at = 0;
    std::optional<Error> m_error;
};

// Lays a tree out backwards: what follows a part is known when the part is made.
class RegexLayout {
public:
    // Also of counts over nothing, which make work and no steps.
    bool isTooLarge() const { return m_program.steps.size() > Pattern::kMostStates || m_parts > kMostParts; }

    PatternProgram run(const PatternNode& root) {
        const std::uint32_t match = add({});
        m_program.start = lay(root, match);
        return std::move(m_program);
    }

private:
    std::uint32_t add(const PatternStep& step) {
        m_program.steps.push_back(step);
        return static_cast<std::uint32_t>(m_program.steps.size() - 1);
    }

    std::uint32_t split(std::uint32_t a, std::uint32_t b) { return add({PatternStep::Kind::Split, 0, a, b}); }

    std::uint32_t lay(const PatternNode& node, std::uint32_t next) {
        ++m_parts;
        if (isTooLarge())
            return next;
        switch (node.kind) {
        case PatternNode::Kind::Bytes:
            m_program.sets.push_back(node.set);
            return add(
                {PatternStep::Kind::Bytes, static_cast<std::uint32_t>(m_program.sets.size() - 1), next, 0});
        case PatternNode::Kind::Begin:
            return add({PatternStep::Kind::Begin, 0, next, 0});
        case PatternNode::Kind::End:
            return add({PatternStep::Kind::End, 0, next, 0});
        case PatternNode::Kind::All:
            std::for_each(node.parts.rbegin(), node.parts.rend(),
                          [&](const PatternNode& part) { next = lay(part, next); });
            return next;
        case PatternNode::Kind::Any: {
            std::uint32_t first = lay(node.parts.front(), next);
            for (std::size_t i = 1; i < node.parts.size(); ++i)
                first = split(first, lay(node.parts[i], next));
            return first;
        }
        case PatternNode::Kind::Repeat:
            return layRepeat(node, next);
        }
        return next;
    }

    std::uint32_t layRepeat(const PatternNode& node, std::uint32_t next) {
        const PatternNode& part = node.parts.front();
        std::uint32_t first = next;
        if (node.most == kEndless) {
            const std::uint32_t loop = split(next, next);
            const std::uint32_t body = lay(part, loop);
            m_program.steps[loop].other = body;
            first = loop;
        } else {
            for (int i = node.least; i < node.most && !isTooLarge(); ++i)
                first = split(lay(part, first), next);
        }
        for (int i = 0; i < node.least && !isTooLarge(); ++i)
            first = lay(part, first);
        return first;
    }

    static constexpr std::size_t kMostParts = 50 * Pattern::kMostStates;
    PatternProgram m_program;
    std::size_t m_parts = 0;
};

} // namespace

Result<PatternProgram> compileRegex(std::string_view text, bool caseSensitive) {
    const auto root = RegexParser(text, caseSensitive).parse();
    if (!root)
        return root.error();
    RegexLayout layout;
    PatternProgram program = layout.run(*root);
    if (program.steps.size() > Pattern::kMostStates || layout.isTooLarge())
        return Error{Errc::TooLarge, "The expression is too large.", {}, "Use smaller counts in { }."};
    return program;
}

} // namespace lacuna
