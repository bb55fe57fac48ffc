package mcp

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

//go:generate go run ./fielddoc

// An argument is a field of the request of a tool.
type argument struct {
	name     string       // as assistants write it
	field    string       // of the JSON form of the request
	doc      string       // what it means
	of       reflect.Type // of its value, as assistants see it
	into     reflect.Type // of the field: a string may hold the list of integers that assistants see
	required bool
	words    []string // the words that it may hold; nil for any
}

// arguments returns the arguments that the request of a tool has, in its order.
func (t *tool) arguments(request reflect.Type) []argument {
	var list []argument
	for f := range request.Fields() {
		tag, ok := f.Tag.Lookup("json")
		if f.Anonymous && !ok {
			list = append(list, t.arguments(f.Type)...)
			continue
		}
		field, options, _ := strings.Cut(tag, ",")
		if field == "-" || slices.Contains(t.hidden, field) {
			continue
		}
		a := argument{
			name: field, field: field, into: f.Type, required: !strings.Contains(options, "omit"),
			doc: fieldDocs[path.Base(request.PkgPath())+"."+request.Name()+"."+f.Name],
		}
		if name, ok := t.names[field]; ok {
			a.name = name
		}
		if a.into.Kind() == reflect.Pointer {
			a.into = a.into.Elem()
		}
		if a.of = a.into; slices.Contains(t.shapes, a.name) {
			a.of = reflect.TypeFor[[]int64]()
		}
		a.words = t.values[a.name]
		if doc, ok := t.docs[a.name]; ok {
			a.doc = doc
		}
		list = append(list, a)
	}
	return list
}

// schema returns what a client is told of the arguments.
func schema(list []argument) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, a := range list {
		p := &jsonschema.Schema{Type: kindOf(a.of), Description: a.doc}
		within := p
		if a.of.Kind() == reflect.Slice {
			p.Items = &jsonschema.Schema{Type: kindOf(a.of.Elem())}
			within = p.Items
		}
		for _, w := range a.words {
			within.Enum = append(within.Enum, w)
		}
		s.Properties[a.name] = p
		s.PropertyOrder = append(s.PropertyOrder, a.name)
		if a.required {
			s.Required = append(s.Required, a.name)
		}
	}
	return s
}

// kindOf is the name that JSON schemas have for the values of a type.
func kindOf(t reflect.Type) string {
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
	panic("no argument is a " + t.String()) // a test makes all schemas
}
