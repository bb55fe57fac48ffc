package runfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// An Error is a fault of a description.
type Error struct {
	Field string // the field: "params[2].buffer"; "" for the text as a whole
	Msg   string // what was expected and what was found
}

// Error returns the field and its fault.
func (e *Error) Error() string {
	if e.Field == "" {
		return e.Msg
	}
	return e.Field + ": " + e.Msg
}

//go:noinline
func errorf(field, format string, args ...any) error {
	return &Error{field, fmt.Sprintf(format, args...)}
}

// Parse reads a description. The error is an [*Error].
func Parse(text []byte) (*File, error) {
	f := new(File)
	if err := parse(text, f); err != nil {
		return nil, err
	}
	return f, f.check()
}

// parse reads JSON into a struct with tags.
func parse(text []byte, to any) error {
	if len(text) > MaxText {
		return errorf("", "a description of %d bytes, and it may have %d", len(text), MaxText)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	tree, err := treeOf(d, 0)
	if err != nil {
		if _, ok := errors.AsType[*Error](err); ok {
			return err
		}
		if errors.Is(err, io.EOF) && d.InputOffset() == 0 {
			return errorf("", "expected a JSON object, found nothing")
		}
		at := int(d.InputOffset())
		if s, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = int(s.Offset)
		}
		return errorf("", "line %d: no JSON: %v", 1+bytes.Count(text[:min(at, len(text))], []byte("\n")), err)
	}
	if d.More() {
		return errorf("", "line %d: more follows the description", 1+bytes.Count(text[:d.InputOffset()], []byte("\n")))
	}
	r := reading{fields: map[reflect.Type][]field{}}
	return r.read("", tree, reflect.ValueOf(to).Elem())
}

// maxDepth limits how deep lists and objects nest in a description.
const maxDepth = 100

// treeOf returns the next JSON value: a map[string]any, []any, string, json.Number, bool or nil. Unlike the decoder
// of the standard library, it refuses an object with a duplicate field.
func treeOf(d *json.Decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	if depth++; depth > maxDepth {
		return nil, errorf("", "expected at most %d lists and objects within each other", maxDepth)
	}
	switch t {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			x, err := treeOf(d, depth)
			if err != nil {
				return nil, inside(fmt.Sprintf("[%d]", len(list)), err)
			}
			list = append(list, x)
		}
		_, err = d.Token()
		return list, err
	case json.Delim('{'):
		object := map[string]any{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			name := key.(string)
			if _, twice := object[name]; twice {
				return nil, errorf(name, "it is there twice")
			}
			if object[name], err = treeOf(d, depth); err != nil {
				return nil, inside(name, err)
			}
		}
		_, err = d.Token()
		return object, err
	}
	return t, nil
}

// inside prepends the name of the enclosing field to the field of an error.
func inside(name string, err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Field == "" {
		return err
	}
	if !strings.HasPrefix(e.Field, "[") {
		name += "."
	}
	return &Error{name + e.Field, e.Msg}
}

// A reading decodes one description. A reading keeps the fields of each type, since a list may hold thousands of
// structs.
type reading struct {
	fields map[reflect.Type][]field
}

// read sets to from a value of JSON.
func (r *reading) read(path string, tree any, to reflect.Value) error {
	switch to.Interface().(type) {
	case Extent:
		return readExtent(path, tree, to)
	case Number:
		switch v := tree.(type) {
		case json.Number:
			to.SetString(v.String())
			return nil
		case string:
			to.SetString(v)
			return nil
		}
		return errorf(path, `expected a number, or a string such as "0x1f", found %s`, describe(tree))
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return r.read(path, tree, to.Elem())
	case reflect.Struct:
		return r.readStruct(path, tree, to)
	case reflect.Slice:
		list, ok := tree.([]any)
		if !ok {
			return errorf(path, "expected a list, found %s", describe(tree))
		}
		if len(list) > MaxItems {
			return errorf(path, "a list of %d, and it may have %d", len(list), MaxItems)
		}
		to.Set(reflect.MakeSlice(to.Type(), len(list), len(list)))
		for i, x := range list {
			if err := r.read(fmt.Sprintf("%s[%d]", path, i), x, to.Index(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.String:
		s, ok := tree.(string)
		if !ok {
			return errorf(path, "expected a string, found %s", describe(tree))
		}
		to.SetString(s)
		return nil
	}
	return readNumber(path, tree, to)
}

// readNumber sets to, which is an integer or a float64.
func readNumber(path string, tree any, to reflect.Value) error {
	n, ok := tree.(json.Number)
	var err error
	what := "a number"
	switch to.Kind() {
	case reflect.Int64:
		what = "an integer"
		var v int64
		v, err = strconv.ParseInt(n.String(), 10, 64)
		to.SetInt(v)
	case reflect.Uint64:
		what = "an integer from 0 on"
		var v uint64
		v, err = strconv.ParseUint(n.String(), 10, 64)
		to.SetUint(v)
	default:
		var v float64
		v, err = strconv.ParseFloat(n.String(), 64)
		to.SetFloat(v)
	}
	if !ok || err != nil {
		return errorf(path, "expected %s, found %s", what, describe(tree))
	}
	return nil
}

// readExtent reads [x, y, z], or a shorter list or x alone; missing extents are 1.
func readExtent(path string, tree any, to reflect.Value) error {
	list, ok := tree.([]any)
	if !ok {
		list = []any{tree}
	}
	if len(list) == 0 || len(list) > 3 {
		return errorf(path, "expected x, y and z, found %s", describe(tree))
	}
	for i := range to.Len() {
		to.Index(i).SetInt(1)
		if i >= len(list) {
			continue
		}
		if err := readNumber(path, list[i], to.Index(i)); err != nil {
			return err
		}
		if to.Index(i).Int() < 1 {
			return errorf(path, "expected numbers from 1 on, found %d", to.Index(i).Int())
		}
	}
	return nil
}

// readStruct reads an object. It refuses unknown fields, fields of another kind, and an object without a needed field.
func (r *reading) readStruct(path string, tree any, to reflect.Value) error {
	object, ok := tree.(map[string]any)
	if !ok {
		return errorf(path, "expected an object, found %s", describe(tree))
	}
	kind, _ := object["kind"].(string)
	fields, known := r.fields[to.Type()]
	if !known {
		fields = fieldsOf(to.Type())
		r.fields[to.Type()] = fields
	}
	for _, name := range sortedKeys(object) {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
			return errorf(join(path, name), "there is no such field; the fields are %s", namesOf(fields, kind))
		}
	}
	for _, f := range fields {
		v, given := object[f.name]
		switch at := join(path, f.name); {
		case !given && f.isNeeded(kind):
			return errorf(at, "it is missing%s", ofKind(kind))
		case !given:
		case !f.has(kind):
			return errorf(at, "expected it in the kind %s only, found it in the kind %q", strings.Join(f.of, " or "), kind)
		default:
			if err := r.read(at, v, to.FieldByIndex(f.index)); err != nil {
				return err
			}
			if err := f.checkValue(at, kind, to.FieldByIndex(f.index)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkValue refuses a word that the field cannot have, and an empty value of a needed field.
func (f field) checkValue(at, kind string, v reflect.Value) error {
	if len(f.words) > 0 && !slices.Contains(f.words, v.String()) {
		return errorf(at, "expected %s, found %.40q", strings.Join(f.words, ", "), v.String())
	}
	if k := v.Kind(); (k == reflect.String || k == reflect.Slice) && v.Len() == 0 && f.isNeeded(kind) {
		return errorf(at, "it is empty%s", ofKind(kind))
	}
	return nil
}

func ofKind(kind string) string {
	if kind == "" {
		return ""
	}
	return ", and the kind " + kind + " needs it"
}

// namesOf returns the names of the fields of a kind, with commas.
func namesOf(fields []field, kind string) string {
	var names []string
	for _, f := range fields {
		if f.has(kind) {
			names = append(names, f.name)
		}
	}
	return strings.Join(names, ", ")
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// describe describes a JSON value.
func describe(tree any) string {
	switch v := tree.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("the string %.40q", v)
	case json.Number:
		return fmt.Sprintf("%.40s", v)
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return fmt.Sprintf("a list of %d", len(v))
	}
	return "an object"
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// A field is a field of a struct, with its tags.
type field struct {
	name, about string
	optional    bool
	of          []string // the kinds that have the field; nil for all
	need        []string
	words       []string
	index       []int
	typ         reflect.Type
}

// has reports whether a kind has the field. Unknown kinds pass here; the check of the kind refuses them.
func (f field) has(kind string) bool {
	return len(f.of) == 0 || kind == "" || slices.Contains(f.of, kind)
}

func (f field) isNeeded(kind string) bool { return !f.optional || slices.Contains(f.need, kind) }

// fieldsOf returns the fields of a struct, including the fields of embedded structs.
func fieldsOf(t reflect.Type) []field {
	var list []field
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			continue // an embedded struct
		}
		list = append(list, field{
			name: name, about: f.Tag.Get("about"), optional: options != "", of: strings.Fields(f.Tag.Get("of")),
			need: strings.Fields(f.Tag.Get("need")), words: strings.Fields(f.Tag.Get("enum")), index: f.Index, typ: f.Type,
		})
	}
	return list
}
