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

// An Error is what is wrong with a description.
type Error struct {
	Field string // which one: "params[2].buffer"; "" for the text as a whole
	Msg   string // what was expected and what was found
}

// Error returns the field and what is wrong with it.
func (e *Error) Error() string {
	if e.Field == "" {
		return e.Msg
	}
	return e.Field + ": " + e.Msg
}

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
	var tree any
	if err := d.Decode(&tree); err != nil {
		if errors.Is(err, io.EOF) {
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
	return read("", tree, reflect.ValueOf(to).Elem())
}

// read sets to from a value of JSON.
func read(path string, tree any, to reflect.Value) error {
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
		return errorf(path, `expected a number, or a string such as "0x1f", found %s`, found(tree))
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return read(path, tree, to.Elem())
	case reflect.Struct:
		return readStruct(path, tree, to)
	case reflect.Slice:
		list, ok := tree.([]any)
		if !ok {
			return errorf(path, "expected a list, found %s", found(tree))
		}
		if len(list) > MaxItems {
			return errorf(path, "a list of %d, and it may have %d", len(list), MaxItems)
		}
		to.Set(reflect.MakeSlice(to.Type(), len(list), len(list)))
		for i, x := range list {
			if err := read(fmt.Sprintf("%s[%d]", path, i), x, to.Index(i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.String:
		s, ok := tree.(string)
		if !ok {
			return errorf(path, "expected a string, found %s", found(tree))
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
		return errorf(path, "expected %s, found %s", what, found(tree))
	}
	return nil
}

// readExtent reads [x, y, z], of which those that are left out are 1, or x alone.
func readExtent(path string, tree any, to reflect.Value) error {
	list, ok := tree.([]any)
	if !ok {
		list = []any{tree}
	}
	if len(list) == 0 || len(list) > 3 {
		return errorf(path, "expected x, y and z, found %s", found(tree))
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

// readStruct reads an object: no field that there is not, none of another kind, and all that are needed.
func readStruct(path string, tree any, to reflect.Value) error {
	object, ok := tree.(map[string]any)
	if !ok {
		return errorf(path, "expected an object, found %s", found(tree))
	}
	kind, _ := object["kind"].(string)
	fields := fieldsOf(to.Type())
	for _, name := range sortedKeys(object) {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
			return errorf(join(path, name), "there is no such field: there are %s", namesOf(fields, kind))
		}
	}
	for _, f := range fields {
		v, given := object[f.name]
		switch at := join(path, f.name); {
		case !given && f.needed(kind):
			return errorf(at, "it is missing%s", ofKind(kind))
		case !given:
		case !f.has(kind):
			return errorf(at, "it is of the kind %s, found it in the kind %q", strings.Join(f.of, " or "), kind)
		default:
			if err := read(at, v, to.FieldByIndex(f.index)); err != nil {
				return err
			}
			s := to.FieldByIndex(f.index)
			if len(f.words) > 0 && !slices.Contains(f.words, s.String()) {
				return errorf(at, "expected %s, found %.40q", strings.Join(f.words, ", "), s.String())
			}
			if k := s.Kind(); (k == reflect.String || k == reflect.Slice) && s.Len() == 0 && f.needed(kind) {
				return errorf(at, "it is empty%s", ofKind(kind))
			}
		}
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

// found says what a value of JSON is.
func found(tree any) string {
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

// A field is one of a struct, as its tags have it.
type field struct {
	name, about string
	optional    bool
	of          []string // kinds; nil for all
	need        []string
	words       []string
	index       []int
	typ         reflect.Type
}

// has reports whether a kind has the field. Of a kind that is not known nothing is said: that is the error.
func (f field) has(kind string) bool {
	return len(f.of) == 0 || kind == "" || slices.Contains(f.of, kind)
}

func (f field) needed(kind string) bool { return !f.optional || slices.Contains(f.need, kind) }

// fieldsOf returns the fields of a struct, those of an embedded one too.
func fieldsOf(t reflect.Type) []field {
	var list []field
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			continue // what is embedded
		}
		list = append(list, field{
			name: name, about: f.Tag.Get("about"), optional: options != "", of: strings.Fields(f.Tag.Get("of")),
			need: strings.Fields(f.Tag.Get("need")), words: strings.Fields(f.Tag.Get("enum")), index: f.Index, typ: f.Type,
		})
	}
	return list
}
