package runfile

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Schema returns the JSON schema (draft 2020-12) of a description.
func Schema() []byte {
	s := schemaOf(reflect.TypeFor[File]())
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "A run of a kernel"
	out, _ := json.MarshalIndent(s, "", " ") // maps, lists and strings always encode
	return append(out, '\n')
}

type object = map[string]any

// schemaOf returns the schema of a type.
func schemaOf(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[Extent]():
		n := object{"type": "integer", "minimum": 1}
		return object{"anyOf": []any{n, object{"type": "array", "items": n, "minItems": 1, "maxItems": 3}}}
	case reflect.TypeFor[Number]():
		return object{"type": []any{"number", "string"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Int64:
		return object{"type": "integer"}
	case reflect.Uint64:
		return object{"type": "integer", "minimum": 0}
	case reflect.Float64:
		return object{"type": "number"}
	}
	return structSchema(t)
}

// structSchema returns the schema of a struct. A patch has no patches.
func structSchema(t reflect.Type) object {
	properties, always := object{}, []any{}
	fields := fieldsOf(t)
	for _, f := range fields {
		if t == reflect.TypeFor[Patch]() && f.name == "patches" {
			continue
		}
		p := schemaOf(f.typ)
		about := f.about
		if len(f.of) > 0 {
			about += " (of the kind " + strings.Join(f.of, " or ") + ")"
		}
		p["description"] = about
		if len(f.words) > 0 {
			p["enum"] = f.words
		}
		properties[f.name] = p
		if !f.optional {
			always = append(always, f.name)
		}
	}
	s := object{"type": "object", "properties": properties, "additionalProperties": false, "required": always}
	if rules := kindRules(t, fields); len(rules) > 0 {
		s["allOf"] = rules
	}
	return s
}

// kindRules returns a rule for each kind of a struct: the fields that it needs, and the fields that it cannot have.
func kindRules(t reflect.Type, fields []field) (rules []any) {
	var kinds []string
	for _, f := range fields {
		if f.name == "kind" {
			kinds = f.words
		}
	}
	for _, k := range kinds {
		var needed, others []any
		for _, f := range fields {
			if slices.Contains(f.need, k) && !(t == reflect.TypeFor[Patch]() && f.name == "patches") {
				needed = append(needed, f.name)
			}
			if len(f.of) > 0 && !f.has(k) {
				others = append(others, object{"required": []any{f.name}})
			}
		}
		then := object{}
		if len(needed) > 0 {
			then["required"] = needed
		}
		if len(others) > 0 {
			then["not"] = object{"anyOf": others}
		}
		if len(then) > 0 {
			rules = append(rules, object{
				"if": object{"properties": object{"kind": object{"const": k}}}, "then": then,
			})
		}
	}
	return rules
}
