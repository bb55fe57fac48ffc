package python

import (
	"strings"
	"unicode/utf8"
)

// textRows are the methods of texts; format is in [Library.CallMethod], as it takes any names.
var textRows = rowsOf(textList)

var textList = []namedRow{
	{"format", &builtin{}},
	{"join", &builtin{"x", func(py *Library, a []Value) (Value, error) { return py.joinTexts(string(a[0].(Str)), a[1]) }}},
	{"split", &builtin{"sep= maxsplit=", func(py *Library, a []Value) (Value, error) { return py.split(a, splitter{}) }}},
	{"rsplit", &builtin{"sep= maxsplit=", func(py *Library, a []Value) (Value, error) { return py.split(a, splitter{last: true}) }}},
	{"splitlines", &builtin{"keepends=", func(py *Library, a []Value) (Value, error) {
		keep, err := integer(a[1], 0)
		if err == nil && keep != int64(int32(keep)) {
			err = Raise("OverflowError", "keepends is not an int of 32 bits: found %d", keep)
		}
		return splitLines(string(a[0].(Str)), keep), err
	}}},
	{"replace", &builtin{"old new count?", func(py *Library, a []Value) (Value, error) { return py.replace(a) }}},
	{"strip", &builtin{"chars?", func(_ *Library, a []Value) (Value, error) { return strip(a, strings.TrimFunc) }}},
	{"lstrip", &builtin{"chars?", func(_ *Library, a []Value) (Value, error) { return strip(a, strings.TrimLeftFunc) }}},
	{"rstrip", &builtin{"chars?", func(_ *Library, a []Value) (Value, error) { return strip(a, strings.TrimRightFunc) }}},
	{"startswith", &builtin{"x start? end?", func(_ *Library, a []Value) (Value, error) {
		return hasAffix(a, strings.HasPrefix, "startswith")
	}}},
	{"endswith", &builtin{"x start? end?", func(_ *Library, a []Value) (Value, error) { return hasAffix(a, strings.HasSuffix, "endswith") }}},
	{"find", &builtin{"x start? end?", func(_ *Library, a []Value) (Value, error) { return search(a, strings.Index) }}},
	{"rfind", &builtin{"x start? end?", func(_ *Library, a []Value) (Value, error) { return search(a, strings.LastIndex) }}},
	{"index", &builtin{"x start? end?", func(_ *Library, a []Value) (Value, error) { return orNotFound(search(a, strings.Index)) }}},
	{"rindex", &builtin{"x start? end?", func(_ *Library, a []Value) (Value, error) { return orNotFound(search(a, strings.LastIndex)) }}},
	{"count", &builtin{"x start? end?", func(_ *Library, a []Value) (Value, error) {
		text, _, err := part(a, "count")
		if err != nil || text == nil {
			return Int(0), err
		}
		return Int(strings.Count(*text, string(a[1].(Str)))), nil
	}}},
	{"removeprefix", &builtin{"x", func(_ *Library, a []Value) (Value, error) { return trimAffix(a, strings.TrimPrefix, "removeprefix") }}},
	{"removesuffix", &builtin{"x", func(_ *Library, a []Value) (Value, error) { return trimAffix(a, strings.TrimSuffix, "removesuffix") }}},
	{"partition", &builtin{"sep", func(_ *Library, a []Value) (Value, error) { return partition(a, strings.Index) }}},
	{"rpartition", &builtin{"sep", func(_ *Library, a []Value) (Value, error) { return partition(a, strings.LastIndex) }}},
	{"ljust", &builtin{"width fill?", func(py *Library, a []Value) (Value, error) { return py.justify(a, '<') }}},
	{"rjust", &builtin{"width fill?", func(py *Library, a []Value) (Value, error) { return py.justify(a, '>') }}},
	{"center", &builtin{"width fill?", func(py *Library, a []Value) (Value, error) { return py.justify(a, '^') }}},
	{"zfill", &builtin{"width", func(py *Library, a []Value) (Value, error) { return py.zeroFill(a) }}},
	{"expandtabs", &builtin{"tabsize=", func(py *Library, a []Value) (Value, error) { return py.expandTabs(a) }}},
	{"upper", changeCase(strings.ToUpper)},
	{"lower", changeCase(strings.ToLower)},
	{"casefold", changeCase(strings.ToLower)},
	{"swapcase", changeCase(func(s string) string { return mapLetters(s, func(c, _ byte) byte { return c ^ 0x20 }) })},
	{"capitalize", changeCase(func(s string) string {
		if s == "" {
			return s
		}
		return strings.ToUpper(s[:1]) + strings.ToLower(s[1:])
	})},
	{"title", changeCase(func(s string) string {
		return mapLetters(s, titleLetter)
	})},
	{"isdigit", classRow(isDigit)},
	{"isdecimal", classRow(isDigit)},
	{"isnumeric", classRow(isDigit)},
	{"isalpha", classRow(isLetter)},
	{"isalnum", classRow(func(c byte) bool { return isLetter(c) || isDigit(c) })},
	{"isspace", classRow(func(c byte) bool { return isSpace(rune(c)) })},
	{"isupper", caseRow(func(c byte) bool { return isLetter(c) && c&0x20 != 0 })},
	{"islower", caseRow(func(c byte) bool { return isLetter(c) && c&0x20 == 0 })},
	{"isascii", &builtin{"", func(_ *Library, a []Value) (Value, error) { return Bool(isASCII(string(a[0].(Str)))), nil }}},
	{"isprintable", emptyToo(classRow(func(c byte) bool { return c >= ' ' && c < 0x7f }))},
	{"istitle", &builtin{"", func(_ *Library, a []Value) (Value, error) {
		s := string(a[0].(Str))
		title := mapLetters(s, titleLetter)
		return Bool(title == s && strings.ToLower(s) != s), onlyASCII(s)
	}}},
	{"isidentifier", &builtin{"", func(_ *Library, a []Value) (Value, error) {
		s := string(a[0].(Str))
		is := s != "" && !isDigit(s[0])
		for i := range len(s) {
			is = is && (isLetter(s[i]) || isDigit(s[i]) || s[i] == '_')
		}
		return Bool(is), onlyASCII(s)
	}}},
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isASCII(s string) bool {
	return len(s) == 0 || utf8.RuneCountInString(s) == len(s) && s[len(s)-1] < utf8.RuneSelf
}

// onlyASCII refuses a question or a change of letters that needs the tables of Unicode.
func onlyASCII(s string) error {
	for _, c := range s {
		if c >= utf8.RuneSelf {
			return Refuse("letters are changed and classified in ASCII only, found %c", c)
		}
	}
	return nil
}

// changeCase returns a method that changes the case of letters.
func changeCase(change func(string) string) *builtin {
	return &builtin{"", func(py *Library, a []Value) (Value, error) {
		s := string(a[0].(Str))
		if err := onlyASCII(s); err != nil {
			return nil, err
		}
		return Str(change(s)), py.hold(len(s), 1)
	}}
}

// mapLetters changes each letter; before is the character before it, and 0 at the start.
func mapLetters(s string, change func(c, before byte) byte) string {
	out := []byte(s)
	before := byte(0)
	for i, c := range out {
		if isLetter(c) {
			out[i] = change(c, before)
		}
		before = c
	}
	return string(out)
}

// titleLetter returns a letter in capitals at the start of a word.
func titleLetter(c, before byte) byte {
	if isLetter(before) {
		return c | 0x20
	}
	return c &^ 0x20
}

// classRow returns a method that reports whether a text has a character, and all are of a class.
func classRow(is func(c byte) bool) *builtin {
	return &builtin{"", func(_ *Library, a []Value) (Value, error) {
		s := string(a[0].(Str))
		if err := onlyASCII(s); err != nil {
			return nil, err
		}
		for i := range len(s) {
			if !is(s[i]) {
				return Bool(false), nil
			}
		}
		return Bool(s != ""), nil
	}}
}

func emptyToo(row *builtin) *builtin {
	return &builtin{"", func(py *Library, a []Value) (Value, error) {
		if a[0] == Str("") {
			return Bool(true), nil
		}
		return row.call(py, a)
	}}
}

// caseRow returns a method that reports whether a text has a letter, and no letter of the other case.
func caseRow(other func(c byte) bool) *builtin {
	return &builtin{"", func(_ *Library, a []Value) (Value, error) {
		s := string(a[0].(Str))
		if err := onlyASCII(s); err != nil {
			return nil, err
		}
		letters := false
		for i := range len(s) {
			if other(s[i]) {
				return Bool(false), nil
			}
			letters = letters || isLetter(s[i])
		}
		return Bool(letters), nil
	}}
}

func (py *Library) joinTexts(sep string, x Value) (Value, error) {
	list, err := py.elements(x)
	if err != nil {
		if _, isList := err.(*Exception); isList && TypeName(x) != "list" { //nolint:errorlint // it is not wrapped
			if _, notIterable := py.Iterate(x); notIterable != nil {
				return nil, TypeError("can only join an iterable")
			}
		}
		return nil, err
	}
	texts := make([]string, len(list))
	n := 0
	for i, v := range list {
		s, ok := v.(Str)
		if !ok {
			return nil, TypeError("sequence item %d: expected str instance, %s found", i, TypeName(v))
		}
		texts[i] = string(s)
		if n += len(s) + len(sep); n > maxBytes {
			break
		}
	}
	if err := py.hold(n, 1); err != nil {
		return nil, err
	}
	return Str(strings.Join(texts, sep)), nil
}

// textList makes a list of texts.
func (py *Library) textList(texts []string) (Value, error) {
	list := &List{Elems: make([]Value, len(texts))}
	for i, t := range texts {
		list.Elems[i] = Str(t)
	}
	return list, py.hold(len(texts), ValueBytes)
}

// A splitter says from which end a text is split.
type splitter struct{ last bool }

func (py *Library) split(a []Value, from splitter) (Value, error) {
	s := string(a[0].(Str))
	most, err := integer(a[2], -1)
	if err != nil {
		return nil, err
	}
	if err := py.hold(len(s), ValueBytes); err != nil {
		return nil, err
	}
	if most < 0 || most > int64(len(s)) {
		most = int64(len(s)) + 1
	}
	if isNone(a[1]) {
		return py.textList(splitSpace(s, int(most), from))
	}
	sep, ok := a[1].(Str)
	switch {
	case !ok:
		return nil, TypeError("must be str or None, not %s", TypeName(a[1]))
	case sep == "":
		return nil, ValueError("empty separator")
	case !from.last:
		return py.textList(strings.SplitN(s, string(sep), int(most)+1))
	}
	var list []string
	for ; most > 0; most-- {
		i := strings.LastIndex(s, string(sep))
		if i < 0 {
			break
		}
		list = append(list, s[i+len(sep):])
		s = s[:i]
	}
	return py.textList(backwards(append(list, s)))
}

func backwards(list []string) []string {
	for i, k := 0, len(list)-1; i < k; i, k = i+1, k-1 {
		list[i], list[k] = list[k], list[i]
	}
	return list
}

// splitSpace splits a text at white space, at most the given number of times.
func splitSpace(s string, most int, from splitter) (list []string) {
	if from.last {
		for s = strings.TrimRightFunc(s, isSpace); s != ""; most-- {
			i := strings.LastIndexFunc(s, isSpace)
			if i < 0 || most == 0 {
				list = append(list, s)
				break
			}
			_, n := utf8.DecodeRuneInString(s[i:])
			list = append(list, s[i+n:])
			s = strings.TrimRightFunc(s[:i], isSpace)
		}
		return backwards(list)
	}
	for s = strings.TrimLeftFunc(s, isSpace); s != ""; most-- {
		i := strings.IndexFunc(s, isSpace)
		if i < 0 || most == 0 {
			return append(list, s)
		}
		list = append(list, s[:i])
		s = strings.TrimLeftFunc(s[i:], isSpace)
	}
	return list
}

// lineEnds are the characters that end a line for splitlines.
const lineEnds = "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// splitLines returns the lines of a text, with their ends if keep is not 0.
func splitLines(s string, keep int64) Value {
	list := &List{}
	for s != "" {
		i := strings.IndexAny(s, lineEnds)
		if i < 0 {
			list.Elems = append(list.Elems, Str(s))
			break
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		if strings.HasPrefix(s[i:], "\r\n") {
			n = 2
		}
		if keep != 0 {
			list.Elems = append(list.Elems, Str(s[:i+n]))
		} else {
			list.Elems = append(list.Elems, Str(s[:i]))
		}
		s = s[i+n:]
	}
	return list
}

func (py *Library) replace(a []Value) (Value, error) {
	s := string(a[0].(Str))
	before, ok := a[1].(Str)
	if !ok {
		return nil, TypeError("replace() argument 1 must be str, not %s", TypeName(a[1]))
	}
	after, ok := a[2].(Str)
	if !ok {
		return nil, TypeError("replace() argument 2 must be str, not %s", TypeName(a[2]))
	}
	n, err := integer(a[3], -1)
	if err != nil {
		return nil, err
	}
	times := int64(strings.Count(s, string(before)))
	if n >= 0 {
		times = min(times, n)
	}
	if len(after) > 0 && times > maxBytes/int64(len(after)) {
		return nil, Refuse("%d copies of %d bytes exceed the limit of %d", times, len(after), maxBytes)
	}
	if err := py.hold(len(s)+int(times)*len(after), 1); err != nil {
		return nil, err
	}
	return Str(strings.Replace(s, string(before), string(after), int(times))), nil
}

func strip(a []Value, trim func(string, func(rune) bool) string) (Value, error) {
	s := string(a[0].(Str))
	if isNone(a[1]) {
		return Str(trim(s, isSpace)), nil
	}
	chars, ok := a[1].(Str)
	if !ok {
		return nil, TypeError("strip arg must be None or str")
	}
	return Str(trim(s, func(c rune) bool { return strings.ContainsRune(string(chars), c) })), nil
}

// part returns the part of a text between the start and the end that a[2] and a[3] give, and the index of its first
// character. The part is nil if the start is after the end.
func part(a []Value, name string) (text *string, from int64, err error) {
	if _, ok := a[1].(Str); !ok {
		if _, tuple := a[1].(Tuple); !tuple || !strings.HasSuffix(name, "with") {
			return nil, 0, TypeError("%s() argument 1 must be str, not %s", name, TypeName(a[1]))
		}
	}
	s := string(a[0].(Str))
	n := int64(utf8.RuneCountInString(s))
	r, err := bounds(Slice{a[2], a[3], nil}, n)
	if err != nil {
		return nil, 0, err
	}
	if start, ok := asInt(a[2]); ok && start > n || r.Start > r.Stop {
		return nil, 0, nil
	}
	low := firstRunes(s, int(r.Start))
	whole := firstRunes(s, int(r.Stop))[len(low):]
	return &whole, r.Start, nil
}

// search returns the index of a[1] in a text, and -1 without one.
func search(a []Value, index func(s, x string) int) (Value, error) {
	text, from, err := part(a, "find")
	if err != nil || text == nil {
		return Int(-1), err
	}
	i := index(*text, string(a[1].(Str)))
	if i < 0 {
		return Int(-1), nil
	}
	return Int(from + int64(utf8.RuneCountInString((*text)[:i]))), nil
}

func orNotFound(v Value, err error) (Value, error) {
	if err == nil && v == Int(-1) {
		return nil, ValueError("substring not found")
	}
	return v, err
}

func hasAffix(a []Value, has func(s, x string) bool, name string) (Value, error) {
	text, _, err := part(a, name)
	if err != nil {
		return nil, err
	}
	list, ok := a[1].(Tuple)
	if !ok {
		list = Tuple{a[1]}
	}
	for _, x := range list {
		s, ok := x.(Str)
		if !ok {
			return nil, TypeError("tuple for %s must only contain str, not %s", name, TypeName(x))
		}
		if text != nil && has(*text, string(s)) {
			return Bool(true), nil
		}
	}
	return Bool(false), nil
}

func trimAffix(a []Value, trim func(s, x string) string, name string) (Value, error) {
	x, ok := a[1].(Str)
	if !ok {
		return nil, TypeError("%s() argument must be str, not %s", name, TypeName(a[1]))
	}
	return Str(trim(string(a[0].(Str)), string(x))), nil
}

func partition(a []Value, index func(s, x string) int) (Value, error) {
	s := a[0].(Str)
	sep, ok := a[1].(Str)
	switch {
	case !ok:
		return nil, TypeError("must be str, not %s", TypeName(a[1]))
	case sep == "":
		return nil, ValueError("empty separator")
	}
	if i := index(string(s), string(sep)); i >= 0 {
		return Tuple{s[:i], sep, s[i+len(sep):]}, nil
	}
	if index("aa", "a") == 0 {
		return Tuple{s, Str(""), Str("")}, nil
	}
	return Tuple{Str(""), Str(""), s}, nil
}

// justify fills a text up to a width.
func (py *Library) justify(a []Value, align byte) (Value, error) {
	width, err := integer(a[1], 0)
	if err != nil {
		return nil, err
	}
	fill, err := optionalText(a[2], " ", "The fill character")
	switch {
	case err != nil:
		return nil, err
	case utf8.RuneCountInString(fill) != 1:
		return nil, TypeError("The fill character must be exactly one character long")
	}
	width = min(width, maxBytes+1)
	if err := py.hold(int(max(width, 0)), 1); err != nil {
		return nil, err
	}
	text := string(a[0].(Str))
	if align == '^' {
		// If the width is odd, the method puts the extra character on the left.
		n := int(width) - utf8.RuneCountInString(text)
		if n <= 0 {
			return Str(text), nil
		}
		left := n/2 + n&int(width)&1
		return Str(strings.Repeat(fill, left) + text + strings.Repeat(fill, n-left)), nil
	}
	s := formatSpec{fill: fill, align: align, width: int(width)}
	return Str(s.pad("", text)), nil
}

func (py *Library) zeroFill(a []Value) (Value, error) {
	width, err := integer(a[1], 0)
	if err != nil {
		return nil, err
	}
	if err := py.hold(int(min(max(width, 0), maxBytes+1)), 1); err != nil {
		return nil, err
	}
	text := string(a[0].(Str))
	head := ""
	if text != "" && (text[0] == '-' || text[0] == '+') {
		head, text = text[:1], text[1:]
	}
	s := formatSpec{fill: "0", align: '=', width: int(width)}
	return Str(s.pad(head, text)), nil
}

func (py *Library) expandTabs(a []Value) (Value, error) {
	size, err := integer(a[1], 8)
	if err != nil {
		return nil, err
	}
	text := string(a[0].(Str))
	size = min(max(size, 0), maxBytes)
	if n := int64(strings.Count(text, "\t")); n > 0 && size > maxBytes/n {
		return nil, Refuse("%d tabs of %d columns exceed the limit of %d", n, size, maxBytes)
	}
	var b strings.Builder
	column := int64(0)
	for _, c := range text {
		switch {
		case c == '\t' && size > 0:
			n := size - column%size
			b.WriteString(strings.Repeat(" ", int(n)))
			column += n
			continue
		case c == '\t':
			continue
		}
		b.WriteRune(c)
		column++
		if c == '\n' || c == '\r' {
			column = 0
		}
	}
	return Str(b.String()), py.hold(b.Len(), 1)
}
