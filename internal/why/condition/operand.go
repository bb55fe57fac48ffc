package condition

import (
	"fmt"
	"strconv"
	"strings"

	"girih/internal/pattern"
)

// An Operand is a value in a text: a number, or a tuple of numbers.
type Operand struct {
	Name   string  // the spelling in the text; "" in "got 300"
	Values []int64 // one number, or the extents of a tuple; [Unknown] for an extent known only at run time
	Tuple  bool
	Unit   string // "bytes", "bits", "elements" or ""
	Where  string // the source of the name, if not the message: "template argument of f"
	Got    bool   // the message says that it found this value
	called string // the name that the sentence before gives to an unnamed value
	far    int    // how far the text is from the rule; the nearest value wins
}

// Unknown is the value of an extent that the text leaves open, such as the ? in (?,1,?).
const Unknown = -1 << 63

// maxOperands limits the values read from one text, and maxExtents limits the extents of a tuple.
const (
	maxOperands = 64
	maxExtents  = 16
	maxLine     = 4096 // the longest line that is read for values, in bytes
)

const (
	reNumber  = pattern.Pattern(`^(-?)(0[xX][0-9a-fA-F]+|\d+(?:_\d{3})*)(?:\s*(?:\^|\*\*)\s*(\d+)| ?<< ?(\d+))?([uUlL]*)`)
	reUnit    = pattern.Pattern(`^[- ]?(KiB|KB|kB|MiB|MB|GiB|GB|bytes?|Bytes?|B|bits?|b|elements?|elems?)\b`)
	reTimes   = pattern.Pattern(`^\d+(?:\s?[x×]\s?\d+)+`)
	reWrapper = pattern.Pattern(`^(?:torch\.Size|Size|tuple|list|(?:cutlass::)?(?:gemm::)?GemmShape|(?:cutlass::)?MatrixShape|Shape|constexpr|tl\.constexpr|cute::tuple|array|dim3|std::tuple)?\s*([\[({<])`)
)

// valueAt reads the value at the beginning of a text: 300, 0x10, 48 KB, (4, 100), [16, ?], torch.Size([2, 3]),
// 64x100.
func valueAt(text string) (v Operand, rest string, ok bool) {
	if m := reTimes.FindString(text); m != "" && !isName(at(text, len(m))) {
		v.Tuple = true
		for _, d := range strings.FieldsFunc(m, func(r rune) bool { return r < '0' || r > '9' }) {
			x, err := strconv.ParseInt(d, 10, 64)
			if err != nil {
				return v, text, false
			}
			v.Values = append(v.Values, x)
		}
		return v, text[len(m):], len(v.Values) <= maxExtents
	}
	if x, unit, rest, ok := numberAt(text); ok {
		v.Values, v.Unit = []int64{x}, unit
		return v, rest, true
	}
	return tupleAt(text)
}

const (
	reGrouped   = pattern.Pattern(`(^|[\s=:>])(-?\d{1,3}(?:,\d{3})+)($|[.;:)]|\s?(?:bytes|tokens|threads|elements|[KMG]?i?B)\b|\s)`)
	reThousands = pattern.Pattern(`\d,\d{3},|,000\b|[a-zB]$`)
)

// ungroupDigits writes 300,000 as 300000. Outside brackets, 64,128 may be one number or two. It is one if the text has
// another number that can only be one; otherwise it becomes a word, so that it is not read as a number.
func ungroupDigits(text string) string {
	if strings.IndexByte(text, ',') < 0 {
		return text
	}
	by := "c"
	for _, number := range reGrouped.FindAllString(text, maxOperands) {
		if reThousands.MatchString(number) {
			by = ""
		}
	}
	for range 2 { // neighbors share the blank between them
		text = reGrouped.ReplaceAllStringFunc(text, func(number string) string { return strings.ReplaceAll(number, ",", by) })
	}
	return text
}

const (
	reWrapped = pattern.Pattern(`\b(?:pl\.|plgpu\.)?(?:Blocked|Element|BoundedSlice|BlockDim)\((?:\w+=)?(\d+)[^()]*\)`)
	reOpen    = pattern.Pattern(`([(\[,] ?)(?:None|Mapped(?:\(\))?|(?:pl\.)?Squeezed(?:\(\))?|squeezed)([,)\]])`)
)

// unwrap writes the extents of a Pallas block as numbers, and open extents as "?".
func unwrap(text string) string {
	if strings.Contains(text, "(") {
		text = reWrapped.ReplaceAllString(text, "$1")
		text = reOpen.ReplaceAllString(reOpen.ReplaceAllString(text, "$1?$2"), "$1?$2")
	}
	return text
}

func at(text string, i int) byte {
	if i < len(text) {
		return text[i]
	}
	return 0
}

// numberAt reads a number with its unit. Kilobytes become bytes.
func numberAt(text string) (x int64, unit, rest string, ok bool) {
	m := reNumber.FindStringSubmatch(text)
	if m == nil {
		return 0, "", text, false
	}
	rest = text[len(m[0]):]
	x, err := strconv.ParseInt(strings.ReplaceAll(m[2], "_", ""), 0, 64)
	if err != nil {
		if x, err = strconv.ParseInt(strings.ReplaceAll(m[2], "_", ""), 10, 64); err != nil {
			return 0, "", text, false
		}
	}
	for i, op := range []string{"**", "<<"} {
		if m[3+i] != "" {
			k, _ := strconv.ParseInt(m[3+i], 10, 64)
			if x, ok = compute(op, []int64{x, k}); !ok {
				return 0, "", text, false
			}
		}
	}
	if m[1] != "" {
		x = -x
	}
	if u := reUnit.FindStringSubmatch(rest); u != nil {
		rest = rest[len(u[0]):]
		x, unit = toUnit(x, u[1])
	}
	if isName(at(rest, 0)) || at(rest, 0) == '.' && isDigit(at(rest, 1)) || at(rest, 0) == '%' && !isDigit(at(rest,
		1)) && at(rest, 1) != ' ' {
		return 0, "", text, false // as in 3D, 1.5 and 50%
	}
	return x, unit, rest, true
}

// kilo is the unit of a number that the text gives in kilobytes or larger units. The number is stored in bytes, but is
// not compared with a number without a unit.
const kilo = "Bytes"

// toUnit converts a number to bytes, bits or elements.
func toUnit(x int64, unit string) (int64, string) {
	shift := 0
	switch unit[0] {
	case 'K', 'k':
		shift = 10
	case 'M':
		shift = 20
	case 'G':
		shift = 30
	}
	switch {
	case shift > 0 && x >= 0 && x < 1<<32:
		return x << shift, kilo
	case unit == "b" || strings.HasPrefix(unit, "bit"):
		return x, "bits"
	case strings.HasPrefix(unit, "e"):
		return x, "elements"
	}
	return x, "bytes"
}

// tupleAt reads a tuple of numbers in brackets, and flattens a nested tuple.
func tupleAt(text string) (v Operand, rest string, ok bool) {
	m := reWrapper.FindStringSubmatch(text)
	if m == nil {
		return v, text, false
	}
	v.Tuple = true
	depth := 0
	for i := len(m[0]) - 1; i < len(text) && i < maxLine; {
		c := text[i]
		if n := separatorAt(text, i); n > 0 {
			i += n
		} else if strings.IndexByte("[({<", c) >= 0 {
			depth++
			i++
		} else if strings.IndexByte("])}>", c) >= 0 {
			i++
			if depth--; depth == 0 {
				single := len(v.Values) == 1 && strings.Contains(m[0], "constexpr")
				v.Tuple = !single
				return v, text[i:], len(v.Values) > 0 && len(v.Values) <= maxExtents
			}
		} else {
			xs, after, ok := extentsAt(text[i:])
			if !ok {
				return v, text, false
			}
			v.Values = append(v.Values, xs...)
			i = len(text) - len(after)
		}
	}
	return v, text, false
}

// separatorAt returns the length of a separator between the extents of a tuple, or 0.
func separatorAt(text string, i int) int {
	switch c := text[i]; {
	case strings.IndexByte(", '\"", c) >= 0, c == 'x' && i > 0 && isDigit(text[i-1]):
		return 1
	case strings.HasPrefix(text[i:], "constexpr"):
		return len("constexpr")
	}
	return 0
}

// extentsAt reads one extent of a tuple, or several joined by "x": 8, ?, _8, 64x100.
func extentsAt(text string) (xs []int64, rest string, ok bool) {
	if text[0] == '?' {
		return []int64{Unknown}, text[1:], true
	}
	if reTimes.MatchString(text) {
		v, rest, ok := valueAt(text)
		return v.Values, rest, ok
	}
	x, _, rest, ok := numberAt(strings.TrimPrefix(strings.TrimPrefix(text, "cute::"), "_"))
	return []int64{x}, rest, ok
}

// reNamed finds a name before a value, as in N = 300, N: 300, N=300, block_M (48), mat1 shape: (16, 20), N is 300.
const reNamed = pattern.Pattern("[`'\"]?([A-Za-z_](?:[\\w.]|->|::)*(?:<-?\\d+(?:, ?-?\\d+)*>)?(?:\\[-?\\d+\\]|\\(-?\\d*\\))?(?: (?:shape|size|sizes|stride|strides|dim|dims|rank|address|ptr))?)[`'\"]?(?:\\s*(=|:)\\s*|\\s+(is|was|of|equals)\\s+|(\\s+)[(\\[])")

// reInstruction finds the extents of an instruction, and reTyped finds the extents in a type of MLIR.
const (
	reInstruction = pattern.Pattern(`\bm(\d+)n(\d+)k(\d+)\b`)
	reTyped       = pattern.Pattern(`\b(memref|tensor|vector|memdesc)<(\d+(?:x\d+)*)x[a-z!][^<>]*(?:<[^<>]*>[^<>]*)*>`)
)

// notNames lists words that precede values but are not names.
const notNames = "|be|got|found|actual|received|given|to|of|is|are|was|expected|expects|by|than|least|most|and|or|in|" +
	"range|between|must|equal|line|error|shape|dimension|dim|axis|index|mode|operand|argument|multiple|" +
	"multiples|divisible|one|condition|size|value|assertion|failed|step|rank|sizes|shapes|have|has|with|" +
	"that|maximum|minimum|aligned|sm|at|from|power|number|element|stage|dims|but|instead|only|supported|" +
	"f16|bf16|f32|f64|float16|bfloat16|float32|fp16|fp32|fp8|int8|"

// namedValues returns the values in a line that have names.
func namedValues(line string) []Operand {
	line = cut(line, maxLine)
	list := instructionExtents(line)
	line = reTyped.ReplaceAllString(line, "$1 ($2) ")
	for from := 0; from < len(line) && len(list) < maxOperands; {
		m := reNamed.FindStringSubmatch(line[from:])
		if m == nil {
			break
		}
		i := from + reNamed.FindStringIndex(line[from:])[0]
		from = i + len(m[0])
		if i > 0 && isName(line[i-1]) {
			continue
		}
		if v, after, ok := namedAt(m, line[from:]); ok {
			list = append(list, v)
			from = len(line) - len(after)
		}
	}
	return list
}

// instructionExtents returns the extents in the name of an instruction: m64n256k16.
func instructionExtents(line string) (list []Operand) {
	m := reInstruction.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	for i, letter := range []string{"m", "n", "k"} {
		if x, _, _, ok := numberAt(m[1+i]); ok {
			list = append(list, Operand{Name: letter, Values: []int64{x}, Where: m[0]})
		}
	}
	return list
}

// namedAt reads the value after a name that reNamed found; m is the match, and rest is the text after it.
func namedAt(m []string, rest string) (v Operand, after string, ok bool) {
	bracket, prose := m[4] != "", m[2] == "" && m[4] == ""
	if bracket {
		rest = m[0][len(m[0])-1:] + rest
	}
	v, after, ok = valueAt(rest)
	switch {
	case !ok, hasWord(notNames, strings.ToLower(m[1])), m[2] == "=" && rest[0] == '=':
		return v, after, false
	case prose && (!identifier(m[1]) || continues(after)):
		return v, after, false // as in "the rank is 3" and "N is 2 times M"
	case m[3] == "of" && !strings.Contains(m[1], " "):
		return v, after, false
	}
	if bracket && len(v.Values) == 1 && rest[0] == '(' {
		v.Tuple = false // as in block_M (48)
	}
	v.Name = strings.TrimSuffix(m[1], "()")
	return v, after, true
}

// continues reports whether the text after a value makes the value part of an expression or a list.
func continues(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	return rest != "" && strings.ContainsAny(rest[:1], "*/%+-<>") || strings.HasPrefix(rest, "times") ||
		strings.HasPrefix(rest, "or ")
}

// identifier reports whether a word is the name of a variable rather than an English word. A name has an underscore, a
// digit, a dot or a capital after the first letter, or is a single capital or one of m, n and k.
func identifier(word string) bool {
	if word == "" {
		return false
	}
	if len(word) == 1 {
		return word[0] >= 'A' && word[0] <= 'Z' || strings.IndexByte("mnk", word[0]) >= 0
	}
	return strings.ContainsAny(word, "_.0123456789[(:") || strings.ToLower(word[1:]) != word[1:]
}

// reGot finds the words before a value that a message says it found.
const reGot = pattern.Pattern(`(?i)(?:\b(?:but |and |we |instead |actually )*(?:got|gets|found|finds|received|(?:was|were|is) given|saw|instead of|but (?:(?:the |its )?[\w.\[\]]+ ){0,3}?(?:is|was|are|were|has|have|had))\b|\bactual(?:ly)?(?: value| size| shape| dim| is)?\b)\s*(?:instead|only|is|was|are)?\s*[:=]?\s*`)

const reEqualTo = pattern.Pattern(`^ ?= ?`)

// reFiller finds the words between "got" and the value.
const reFiller = pattern.Pattern("(?i)^(?:(?:\\w+ (?:of|with) (?:size|shape)|equal to|equals|an?|the|value|values|of|tensor|input|inputs|with|shape|shapes|size|sizes|dim|dims|dimension|extent|stride|strides|rank|array|only|length|type|instead|address|count|pointer|at|an address|element|torch\\.Tensor)\\b[ :=]*|[`'\"])+")

// got returns the values that a sentence says it found, named or not, and the place of "got" or a similar word, or -1.
func got(sentence string) (list []Operand, at int) {
	from, at := 0, -1
	for range 4 { // as in "an argument was given the sharding ..., but it is equal to 6"
		m := reGot.FindStringIndex(sentence[from:])
		if m == nil {
			break
		}
		i := from + m[0]
		from += m[1]
		if x, unnamed := gotAt(sentence[from:]); len(x) > 0 && (unnamed || len(list) == 0) {
			list, at = x, i
			if unnamed {
				return list, at
			}
		} else if at < 0 {
			at = i
		}
	}
	if len(list) == 0 {
		if list, before := gave(sentence); before >= 0 {
			return list, before
		}
	}
	return list, at
}

// gotAt returns the values at the beginning of the text after "got"; if there are none, the named values in that text.
func gotAt(rest string) (list []Operand, unnamed bool) {
	if i := strings.IndexAny(rest, ";\n"); i >= 0 {
		rest = rest[:i]
	}
	rest = cut(rest, 512)
	if v, ok := computedAt(rest); ok {
		return []Operand{v}, true
	}
	for len(list) < maxExtents {
		plain := rest[len(reFiller.FindString(rest)):]
		v, after, ok := valueAt(plain)
		if !ok {
			break
		}
		v.Got = true
		if m := reEqualTo.FindString(after); m != "" && v.Tuple { // as in 2x8 = 16
			if x, unit, left, ok := numberAt(after[len(m):]); ok {
				v, after = Operand{Values: []int64{x}, Unit: unit, Got: true}, left
			}
		}
		list = append(list, v)
		rest = strings.TrimLeft(after, " `'\"")
		next := strings.TrimPrefix(strings.TrimPrefix(rest, ","), " ")
		next = strings.TrimPrefix(strings.TrimPrefix(next, "and "), "vs. ")
		if next == rest {
			break
		}
		rest = next
	}
	if len(list) > 0 {
		return list, true
	}
	list = namedValues(rest)
	for i := range list {
		list[i].Got = true
	}
	return list, false
}

// reProductOf finds a product or a sum of numbers.
const reProductOf = pattern.Pattern(`^\d+(?: ?[*+] ?\d+)+`)

// computedAt reads a value that a message writes as a computation and its result: 2 * 130 = 260.
func computedAt(text string) (v Operand, ok bool) {
	m := reProductOf.FindString(text)
	if m == "" {
		return v, false
	}
	n := expression(m)
	if n == nil {
		return v, false
	}
	x, ok := n.value(nil)
	if !ok {
		return v, false
	}
	_, unit, _, _ := numberAt(fmt.Sprint(x) + text[len(m):])
	if eq := reEqualTo.FindString(text[len(m):]); eq != "" {
		if y, u, _, ok := numberAt(text[len(m)+len(eq):]); ok && y == x {
			unit = u
		}
	}
	return Operand{Values: []int64{x}, Unit: unit, Got: true}, true
}

// reGave finds wordings such as "but 6 was given", in which the value comes first.
const reGave = pattern.Pattern(`(?i),? but (?:only )?(\S+(?: \w+)?) (?:(?:was|were|is|are) )?(?:given|found|provided|received|passed|specified|used)\b`)

func gave(sentence string) (list []Operand, at int) {
	m := reGave.FindStringSubmatch(sentence)
	if m == nil {
		return nil, -1
	}
	v, _, ok := valueAt(m[1])
	if !ok {
		return nil, -1
	}
	v.Got = true
	return []Operand{v}, reGave.FindStringIndex(sentence)[0]
}

// Collect returns the named values of a text, line by line.
func Collect(text string) []Operand {
	var list []Operand
	for line := range strings.Lines(text) {
		if len(list) >= maxOperands {
			break
		}
		list = append(list, namedValues(strings.TrimRight(line, "\r\n"))...)
	}
	return list
}
