package diagnose

import (
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/reader"
	"girih/internal/why/explain"
)

// maxValue limits the length, in bytes, of text that is read as one value.
const maxValue = 1 << 16

// value returns the canonical text of a value such as cute::tuple<cute::C<4>, cute::_6>, or "" if the text is not a
// valid value.
func value(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxValue {
		return ""
	}
	if n, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimPrefix(text, "cute::"), "_"), 10, 64); err == nil {
		return strconv.FormatInt(n, 10) // cute::_96
	}
	r := reader.Read(text)
	if len(r.Items) != 1 || r.Items[0].Fault != "" {
		return ""
	}
	// The reader refuses text before a value, except the value's name, const or an engine.
	return r.Items[0].Text
}

// typeName returns the name of a type without its namespaces and qualifiers: half_t of const cutlass::half_t&.
func typeName(text string) string {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "&")), "*"))
	text = strings.TrimSpace(strings.TrimPrefix(text, "const "))
	var b strings.Builder
	for len(text) > 0 {
		n := strings.IndexFunc(text, func(r rune) bool { return !isName(r) })
		if n < 0 {
			n = len(text)
		}
		if n == 0 {
			b.WriteByte(text[0])
			text = text[1:]
			continue
		}
		if strings.HasPrefix(text[n:], "::") {
			text = text[n+2:]
			continue
		}
		b.WriteString(text[:n])
		text = text[n:]
	}
	return b.String()
}

func isName(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// layoutText joins a shape and a stride into the text of a layout.
func layoutText(shape, stride string) string {
	if shape == "" || stride == "" {
		return ""
	}
	return shape + ":" + stride
}

// tiler returns a tuple as a tiler by mode, <4,8>, because this is how CuTe uses a tuple where it expects a tiler.
// Integers and layouts are returned unchanged.
func tiler(text string) string {
	if !strings.HasPrefix(text, "(") || strings.Contains(text, ":") {
		return text
	}
	return strings.NewReplacer("(", "<", ")", ">").Replace(text)
}

// dynamic reports whether the text contains an integer that is known only at run time.
func dynamic(text string) bool { return strings.Contains(text, "?") }

// layout returns the layout spelled in the text.
func layout(text string) (cute.Layout, bool) {
	if text == "" || dynamic(text) {
		return cute.Layout{}, false
	}
	l, err := cute.Parse(text)
	return l, err == nil
}

// maxInteger limits the magnitude of the integers that are read. Sizes and addresses have 48 bits.
const maxInteger = 1 << 48

// integer returns the integer in the text, unless its magnitude exceeds [maxInteger].
func integer(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n > maxInteger || n < -maxInteger {
		return 0, false
	}
	return n, true
}

// integers returns the leaves of a flat or nested tuple of known integers.
func integers(text string) ([]int64, bool) {
	fields := strings.FieldsFunc(text, func(r rune) bool {
		return r == '(' || r == ')' || r == ',' || r == ' ' || r == '[' || r == ']'
	})
	ns := make([]int64, 0, len(fields))
	for _, f := range fields {
		n, ok := integer(f)
		if !ok {
			return nil, false
		}
		ns = append(ns, n)
	}
	return ns, len(ns) > 0
}

// modes returns the top-level modes of a tuple, or the text itself if it is not a tuple.
func modes(text string) []string {
	if !strings.HasPrefix(text, "(") && !strings.HasPrefix(text, "<") {
		return []string{text}
	}
	return split(text[1:max(len(text)-1, 1)], ',')
}

// split cuts a text at each separator outside brackets.
func split(text string, sep byte) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '(' || c == '<' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}' || c == '>' && (i == 0 || text[i-1] != '-'):
			depth--
		case c == sep && depth <= 0:
			parts = append(parts, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		parts = append(parts, rest)
	}
	return parts
}

// count returns "1 mode" or "2 modes", worded as in explanations.
func count(n int, what string) string { return explain.Count(n, what) }
