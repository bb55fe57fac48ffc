package mcp

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

//go:generate go run ./fielddoc

// A schemas makes the schema of a Go type as encoding/json writes it, with the comments of its fields as descriptions. Structs within
// a struct are definitions, each once.
type schemas struct {
	defs  map[string]*jsonschema.Schema
	types map[string]reflect.Type
}

// inputSchema returns the schema of a request without the hidden fields. values has what fields may hold, where that is a list of words.
func inputSchema(t reflect.Type, values map[string][]string, hidden ...string) *jsonschema.Schema {
	s := outputSchema(t, hidden...)
	for _, p := range s.Properties {
		if p.Types != nil { // a client has no need to write null
			p.Type, p.Types = "array", nil
		}
	}
	for name, words := range values {
		p := s.Properties[name]
		if p.Items != nil {
			p = p.Items
		}
		for _, w := range words {
			p.Enum = append(p.Enum, w)
		}
	}
	return s
}

// outputSchema returns the schema of a response without the hidden fields, which are optional ones.
func outputSchema(t reflect.Type, hidden ...string) *jsonschema.Schema {
	m := &schemas{defs: map[string]*jsonschema.Schema{}, types: map[string]reflect.Type{}}
	s := m.object(t)
	for _, name := range hidden {
		delete(s.Properties, name)
		s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(n string) bool { return n == name })
		for _, d := range m.defs {
			delete(d.Properties, name)
			d.PropertyOrder = slices.DeleteFunc(d.PropertyOrder, func(n string) bool { return n == name })
		}
	}
	if len(m.defs) > 0 {
		s.Defs = m.defs
	}
	return s
}

// object returns the schema of a struct itself.
func (m *schemas) object(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for f := range t.Fields() {
		tag, ok := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case name == "-", !f.IsExported():
			continue
		case f.Anonymous && !ok:
			in := m.object(f.Type)
			for _, n := range in.PropertyOrder {
				s.Properties[n] = in.Properties[n]
			}
			s.PropertyOrder = append(s.PropertyOrder, in.PropertyOrder...)
			s.Required = append(s.Required, in.Required...)
			continue
		}
		optional := strings.Contains(options, "omit")
		p := m.value(f.Type, optional)
		p.Description = fieldDocs[path.Base(t.PkgPath())+"."+t.Name()+"."+f.Name]
		s.Properties[name] = p
		s.PropertyOrder = append(s.PropertyOrder, name)
		if !optional {
			s.Required = append(s.Required, name)
		}
	}
	return s
}

// value returns the schema of a field. One that is optional is absent where it is empty, so that it is never null.
func (m *schemas) value(t reflect.Type, optional bool) *jsonschema.Schema {
	switch t.Kind() {
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return &jsonschema.Schema{Type: "integer"}
	case reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.Pointer:
		if optional {
			return m.value(t.Elem(), true)
		}
	case reflect.Array:
		n := t.Len()
		return &jsonschema.Schema{Type: "array", Items: m.value(t.Elem(), true), MinItems: &n, MaxItems: &n}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
		}
		s := &jsonschema.Schema{Type: "array", Items: m.value(t.Elem(), true)}
		if !optional {
			s.Type, s.Types = "", []string{"array", "null"}
		}
		return s
	case reflect.Struct:
		name := t.Name()
		if _, ok := m.defs[name]; !ok {
			m.defs[name] = nil // a type within itself finds it
			m.types[name] = t
			m.defs[name] = m.object(t)
		}
		if m.types[name] != t {
			panic(fmt.Sprintf("%v and %v have one name", m.types[name], t)) // a test makes all schemas
		}
		return &jsonschema.Schema{Ref: "#/$defs/" + name}
	}
	panic(fmt.Sprintf("no schema for %v", t)) // a test makes all schemas
}
