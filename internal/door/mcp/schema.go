package mcp

import (
	"path"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"girih/internal/service"
)

//go:generate go run ./fielddoc

// arguments returns the arguments that the request of a tool has, in its order.
func (t *tool) arguments(request reflect.Type) []service.Argument {
	all, fields := service.ArgumentsOf(request)
	var list []service.Argument
	for k, a := range all {
		if slices.Contains(t.hidden, a.Field) {
			continue
		}
		a.Doc = fieldDocs[docName(request, fields[k])]
		if name, ok := t.names[a.Field]; ok {
			a.Name = name
		}
		if slices.Contains(t.shapes, a.Name) {
			a.Of = reflect.TypeFor[[]int64]()
		}
		a.Words = t.values[a.Name]
		if doc, ok := t.docs[a.Name]; ok {
			a.Doc = doc
		}
		list = append(list, a)
	}
	return list
}

// docName is the name of the comment of a field: of a field of a request that is part of another one, that of the part.
func docName(request reflect.Type, f reflect.StructField) string {
	for part := range request.Fields() {
		if part.Anonymous {
			if own, ok := part.Type.FieldByName(f.Name); ok && own.Tag == f.Tag {
				return docName(part.Type, f)
			}
		}
	}
	return path.Base(request.PkgPath()) + "." + request.Name() + "." + f.Name
}

// schema returns what a client is told of the arguments.
func schema(list []service.Argument) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, a := range list {
		p := &jsonschema.Schema{Type: a.Kind(), Description: a.Doc}
		within := p
		if a.Of.Kind() == reflect.Slice {
			p.Items = &jsonschema.Schema{Type: service.KindOf(a.Of.Elem())}
			within = p.Items
		}
		for _, w := range a.Words {
			within.Enum = append(within.Enum, w)
		}
		s.Properties[a.Name] = p
		s.PropertyOrder = append(s.PropertyOrder, a.Name)
		if a.Required {
			s.Required = append(s.Required, a.Name)
		}
	}
	return s
}
