package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/report"
)

// This file reads requests as JSON, for [Session.Do] and for the tools of assistants. A value that can mean only one
// thing is accepted: a single string where a list of strings is expected, (64,64) for [64,64], "5" for 5. Anything else
// is refused with the names of the operation.

// An Argument is a field of a request.
type Argument struct {
	Name     string       // the name under which the door asks for it
	Field    string       // the field in the JSON form of the request
	Doc      string       // what it means; empty if no door shows it
	Brief    string       // Doc in a few words; - where the name says enough
	Of       reflect.Type // the type of the value as the door asks for it
	Into     reflect.Type // the type of the field, which may be a string that holds the requested list of integers
	Required bool
	Words    []Word // the words that the value may be; nil for any
	Index    []int  // the index of the field in the struct of the request
}

// Kind returns the type of the argument in JSON schemas.
func (a Argument) Kind() string { return KindOf(a.Of) }

// KindOf returns the name of a type in JSON schemas.
func KindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "array"
	}
	panic("no argument is a " + t.String()) // a mistake in the table, which tests find because they make all schemas
}

// Read decodes a request that came to a door, and returns a pointer to the request. An empty text is an empty object.
// Programs may also set run-time integers, {"set": ["M=4096", "?1=8"], ...}; the session takes these values.
func (o Operation) Read(s *Session, d Door, text []byte) (any, *report.Error) {
	args := o.Arguments(d)
	if d == Programs || d == Scripts {
		args = append(args, setArgument)
	}
	fields, fault := signature{o.Name, args}.fields(text)
	if fault == nil {
		fault = s.takeValues(fields)
	}
	request := o.Request()
	if fault == nil {
		fault = into(fields, request)
	}
	return request, fault
}

// into puts what was read into a request.
func into(fields map[string]any, request any) *report.Error {
	text, err := json.Marshal(fields)
	if err == nil {
		err = json.Unmarshal(text, request)
	}
	if err != nil { // what value returns always fits the fields
		return refusal("internal", fmt.Sprintf("a defect of girih: %v", err), "")
	}
	return nil
}

// A signature is the name of an operation and its arguments.
type signature struct {
	name string
	args []Argument
}

// refusal is an error that has no place in an expression.
func refusal(code cute.Code, message, hint string) *report.Error {
	return &report.Error{Code: string(code), Message: message, Hint: hint, Pos: -1}
}

// fields reads a JSON text as the fields of a request.
func (o signature) fields(text []byte) (map[string]any, *report.Error) {
	given, err := object(text)
	if err != nil {
		return nil, refusal(cute.CodeSyntax, fmt.Sprintf("%s takes its arguments as a JSON object: %v", o.name, err),
			o.takes())
	}
	fields := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		k := slices.IndexFunc(o.args, func(a Argument) bool { return SameName(a.Name, name) })
		if k < 0 {
			return nil, o.unknown(name, given)
		}
		a := o.args[k]
		if given[name] == nil {
			continue
		}
		if _, twice := fields[a.Field]; twice {
			return nil, refusal(cute.CodeSyntax, fmt.Sprintf("%s: the argument %s is given twice", o.name, a.Name), "")
		}
		v, ok := a.value(given[name])
		if !ok {
			return nil, refusal(cute.CodeType, fmt.Sprintf("%s: %s: expected %s, found %s", o.name, a.Name, a.Expectation(),
				kindFound(given[name])), "")
		}
		fields[a.Field] = v
	}
	var missing []string
	for _, a := range o.args {
		if _, ok := fields[a.Field]; a.Required && !ok {
			missing = append(missing, a.Name)
		}
	}
	if len(missing) > 0 {
		is := "is"
		if len(missing) > 1 {
			is = "are"
		}
		return nil, refusal(cute.CodeSyntax, fmt.Sprintf("%s needs %s, which %s missing", o.name, JoinNames(missing), is),
			o.takes())
	}
	return fields, nil
}

// object reads a JSON object. It keeps numbers as they are written.
func object(args []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, errors.New("what was sent is not JSON")
	case d.More():
		return nil, errors.New("more follows the first value")
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return v, nil
	}
	return nil, fmt.Errorf("found %s", kindFound(v))
}

// SameName reports whether two names of arguments differ only in case and in the characters that join words: maxCells
// is max_cells.
func SameName(a, b string) bool {
	join := strings.NewReplacer("_", "", "-", "")
	return strings.EqualFold(join.Replace(a), join.Replace(b))
}

// meanings lists words that assistants and programs try. A word means the first argument in its row that the
// operation has.
var meanings = []struct{ arguments, words []string }{
	{[]string{"expr", "text", "atom", "name", "from"}, strings.Fields(
		"expr expression layout memory tensor program value input code source text query a swizzle smem offsets content")},
	{[]string{"atom", "name", "filter", "expr"}, strings.Fields("atom instruction name op mma_op mma tiled tiled_mma " +
		"tiled_copy function topic copy_atom")},
	{[]string{"type"}, strings.Fields("type dtype element_type elem_type element elem precision ab_type bits")},
	{[]string{"target"}, strings.Fields("target arch architecture machine gpu device sm compute_capability")},
	{[]string{"accesses"}, strings.Fields("accesses access instruction instructions op ops pattern bank load store")},
	{[]string{"threads", "thread"}, strings.Fields("threads thread tv thr lanes lane tid thread_layout " +
		"access_pattern thread_id")},
	{[]string{"shape", "tile"}, strings.Fields("shape tile size tensor_shape tile_shape dims tv tiler")},
	{[]string{"filter"}, strings.Fields("filter query words search pattern arch name dtype type")},
	{[]string{"format", "figures", "as"}, strings.Fields("format figures as output file_type language dialect kind " +
		"pictures")},
	{[]string{"as", "view"}, strings.Fields("as kind picture view mode language dialect to format")},
	{[]string{"atoms"}, strings.Fields("atoms atom_layout atom_layout_mnk layout repeat thr_layout warps")},
	{[]string{"permutation"}, strings.Fields("permutation permutation_mnk perm tile tile_mnk")},
	{[]string{"most"}, strings.Fields("most limit max count n top")},
	{[]string{"color_by"}, strings.Fields("color colour fill")},
	{[]string{"max_cells"}, strings.Fields("cells limit max")},
	{[]string{"from"}, strings.Fields("src source a base layout")},
	{[]string{"to"}, strings.Fields("dst dest destination target b")},
}

// unknown refuses an argument that the operation does not have.
func (o signature) unknown(name string, given map[string]any) *report.Error {
	hint := ""
	if near := o.guess(name, given); near != "" {
		hint = fmt.Sprintf("did you mean %s?", near)
	}
	return refusal(cute.CodeName, fmt.Sprintf("%s has no argument %.60q: %s", o.name, name, o.takes()), hint)
}

// guess returns the argument that an unknown name may mean, "" if there is no candidate. Arguments that the
// request already gives are not guessed.
func (o signature) guess(name string, given map[string]any) string {
	var names []string
	for _, a := range o.args {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(given)), func(g string) bool { return SameName(g, a.Name) }) {
			names = append(names, a.Name)
		}
	}
	for _, m := range meanings {
		if !slices.ContainsFunc(m.words, func(w string) bool { return SameName(w, name) }) {
			continue
		}
		for _, a := range m.arguments {
			if slices.Contains(names, a) {
				return a
			}
		}
	}
	return Nearest(name, names)
}

// takes lists the arguments of the operation.
func (o signature) takes() string {
	if len(o.args) == 0 {
		return "it takes none"
	}
	var names []string
	for _, a := range o.args {
		names = append(names, a.Name)
	}
	return "it takes " + strings.Join(names, ", ")
}

// value converts a given value to the type of the field, if only one reading is possible.
func (a Argument) value(given any) (any, bool) {
	switch a.Into.Kind() {
	case reflect.String:
		if list, ok := given.([]any); ok && a.Of.Kind() == reflect.String && len(list) == 1 {
			given = list[0]
		}
		switch v := given.(type) {
		case string:
			return v, true
		case json.Number:
			return v.String(), true
		case []any:
			return tuple(v)
		}
	case reflect.Bool:
		switch v := given.(type) {
		case bool:
			return v, true
		case string:
			b, err := strconv.ParseBool(strings.ToLower(v))
			return b, err == nil
		}
	case reflect.Float64:
		f, err := strconv.ParseFloat(word(given), 64)
		return f, err == nil
	case reflect.Int, reflect.Int64:
		return integer(given)
	case reflect.Uint64:
		n, err := strconv.ParseUint(word(given), 10, 64)
		return n, err == nil
	case reflect.Slice:
		return a.list(given)
	}
	return nil, false
}

// list returns the values of a list of strings or integers. The list may be written as a string: "[64,64]".
func (a Argument) list(given any) (any, bool) {
	if text, ok := given.(string); ok && strings.HasPrefix(strings.TrimSpace(text), "[") {
		var written []any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if d.Decode(&written) == nil && !d.More() {
			given = written
		}
	}
	if a.Into.Elem().Kind() == reflect.String {
		return stringList(given)
	}
	return integerList(given)
}

// stringList returns the strings of a list, or a single string as a list.
func stringList(given any) (any, bool) {
	items, ok := given.([]any)
	if !ok {
		items = []any{given}
	}
	out := make([]string, len(items))
	for i, x := range items {
		switch x := x.(type) {
		case string:
			out[i] = x
		case json.Number:
			out[i] = x.String()
		default:
			return nil, false
		}
	}
	return out, true
}

// integerList returns the integers of a list, or of a text such as 64,64 or (64,64) or 64x64.
func integerList(given any) (any, bool) {
	items, ok := given.([]any)
	if !ok {
		text := strings.TrimSpace(word(given))
		if inner, open := strings.CutPrefix(text, "("); open {
			text, ok = strings.CutSuffix(inner, ")")
			if !ok {
				return nil, false
			}
		}
		for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == 'x' || r == ' ' }) {
			items = append(items, part)
		}
		if len(items) == 0 {
			return nil, false
		}
	}
	out := make([]int64, len(items))
	for i, x := range items {
		if out[i], ok = integer(x); !ok {
			return nil, false
		}
	}
	return out, true
}

// word returns a number or a string as it was written, "" for anything else.
func word(given any) string {
	switch v := given.(type) {
	case string:
		return strings.TrimSpace(v)
	case json.Number:
		return v.String()
	}
	return ""
}

// integer reads 5, 5.0 and "5".
func integer(given any) (int64, bool) {
	text := word(given)
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	whole, zeros, ok := strings.Cut(text, ".")
	if !ok || strings.Trim(zeros, "0") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	return n, err == nil
}

// tuple writes a list as a tuple of the language: [4,[2,null]] is (4,(2,_)).
func tuple(list []any) (string, bool) {
	parts := make([]string, len(list))
	for i, x := range list {
		switch x := x.(type) {
		case nil:
			parts[i] = "_"
		case []any:
			inner, ok := tuple(x)
			if !ok {
				return "", false
			}
			parts[i] = inner
		default:
			n, ok := integer(x)
			if !ok {
				return "", false
			}
			parts[i] = strconv.FormatInt(n, 10)
		}
	}
	return "(" + strings.Join(parts, ",") + ")", len(list) > 0
}

// examples are values of arguments for which the type alone does not say what is expected.
var examples = map[string]string{
	"expr": `"(8,64):(64,1)"`, "type": `"f16"`, "accesses": `["ldmatrix.x4"]`, "threads": `["rows"]`, "target": `"sm90"`,
	"shape": "[64,64]",
	"set":   `["M=4096"]`, "tile": "[64,64,32]", "filter": `["sm80","f16"]`, "atom": `"SM80_16x8x16_F32F16F16F32_TN"`,
	"atoms": `"(2,2,1)"`, "permutation": `"<32,32,16>"`,
	"figures": `"png"`, "format": `"png"`, "fix": `"(_,_,0,1)"`, "element": `"C(8,2)"`,
}

// Expectation says what the argument takes.
func (a Argument) Expectation() string {
	s, example := "", examples[a.Name]
	switch a.Kind() {
	case "array":
		s = "a list of strings"
		if a.Of.Elem().Kind() != reflect.String {
			s = "a list of integers"
		}
	case "boolean":
		s = "true or false"
	case "integer":
		s = "an integer"
		if a.Of.Kind() == reflect.Uint64 {
			s = "an integer from 0"
		}
	default:
		s = "a " + a.Kind()
	}
	if example == "" && len(a.Words) > 0 {
		example = strconv.Quote(a.Words[0].Name)
	}
	if example != "" {
		s += ", e.g. " + example
	}
	return s
}

// kindFound names the kind of a value that was given.
func kindFound(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("the string %.40q", v)
	case json.Number:
		return fmt.Sprintf("%.40s", v)
	case bool:
		return strconv.FormatBool(v)
	case []any:
		text, _ := json.Marshal(v) // cannot fail, because x was read from JSON
		if len(text) > 40 {
			return fmt.Sprintf("a list of %d values", len(v))
		}
		return "the list " + string(text)
	case map[string]any:
		return "an object"
	}
	return "null"
}

// JoinNames returns names as in "a, b and c".
func JoinNames(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}
