package mcp

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"girih/internal/service"
)

// schema describes the arguments to a client: as short as possible, because an assistant reads the list of tools in
// every conversation. The tool help has the rest. An argument that all tools share is described in the instructions.
func schema(list []service.Argument) *jsonschema.Schema {
	none := &jsonschema.Schema{Not: &jsonschema.Schema{}}
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: none}
	for _, a := range list {
		p := &jsonschema.Schema{Type: a.Kind(), Description: a.Brief}
		if a.Brief == "-" {
			p.Description = ""
		}
		within := p
		if a.Of.Kind() == reflect.Slice {
			p.Items = &jsonschema.Schema{Type: service.KindOf(a.Of.Elem())}
			within = p.Items
		}
		for _, w := range a.Words {
			if a.Name == "target" && a.Brief == "-" { // listed where machines are described
				break
			}
			within.Enum = append(within.Enum, w.Name)
		}
		s.Properties[a.Name] = p
		s.PropertyOrder = append(s.PropertyOrder, a.Name)
		if a.Required {
			s.Required = append(s.Required, a.Name)
		}
	}
	return s
}
