package mcp

import (
	"bytes"
	"encoding/json"
	"reflect"

	"girih/internal/service"
)

// A schema is a JSON schema, with the keywords that arguments need.
type schema struct {
	Type        string     `json:"type"`
	Properties  properties `json:"properties,omitempty"`
	Items       *schema    `json:"items,omitempty"`
	Description string     `json:"description,omitempty"`
	Enum        []string   `json:"enum,omitempty"`
	Required    []string   `json:"required,omitempty"`
	Additional  *bool      `json:"additionalProperties,omitempty"`
}

// properties are named schemas in order: an assistant reads the most important argument first.
type properties []property

type property struct {
	name string
	schema
}

// MarshalJSON returns an object.
func (p properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	separator := byte('{')
	for _, x := range p {
		text, err := json.Marshal(x.schema)
		if err != nil {
			return nil, err
		}
		b.WriteByte(separator)
		separator = ','
		b.WriteString(`"` + x.name + `":`) // the names of arguments contain only letters
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// schemaOf describes the arguments to a client: as short as possible, because an assistant reads the list of tools in
// every conversation. The tool help has the rest. An argument that all tools share is described in the instructions.
func schemaOf(list []service.Argument) *schema {
	s := &schema{Type: "object", Additional: new(bool)}
	for _, a := range list {
		p := schema{Type: a.Kind(), Description: a.Brief}
		if a.Brief == "-" {
			p.Description = ""
		}
		within := &p
		if a.Of.Kind() == reflect.Slice {
			p.Items = &schema{Type: service.KindOf(a.Of.Elem())}
			within = p.Items
		}
		for _, w := range a.Words {
			if a.Name == "target" && a.Brief == "-" { // the targets are listed where machines are described
				break
			}
			within.Enum = append(within.Enum, w.Name)
		}
		s.Properties = append(s.Properties, property{a.Name, p})
		if a.Required {
			s.Required = append(s.Required, a.Name)
		}
	}
	return s
}
