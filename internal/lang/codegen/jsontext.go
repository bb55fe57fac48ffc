package codegen

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// This file writes the structure of values as JSON, in the schema of the package comment.

type jsonWriter struct{ strings.Builder }

func writeJSON(n node) (string, error) {
	w := new(jsonWriter)
	w.node(n)
	return w.String(), nil
}

func (w *jsonWriter) node(n node) {
	switch n := n.(type) {
	case boolean:
		fmt.Fprintf(w, `{"kind":"bool","value":%t}`, bool(n))
	case order:
		fmt.Fprintf(w, `{"kind":"order","value":"%s"}`, string(n))
	case tuple:
		w.WriteString(`{"kind":"` + tupleKind(n.tree) + `","value":`)
		w.tree(n.tree)
		w.WriteByte('}')
	case layout:
		w.WriteString(`{"kind":"layout","shape":`)
		w.tree(n.shape)
		w.WriteString(`,"stride":`)
		w.tree(n.stride)
		fmt.Fprintf(w, `,"static":%t}`, allStatic(n))
	case swizzle:
		fmt.Fprintf(w, `{"kind":"swizzle","b":%d,"m":%d,"s":%d}`, n.b, n.m, n.s)
	case composed:
		w.composedChain(n)
	case tile:
		w.WriteString(`{"kind":"tile","modes":`)
		w.nodes(n)
		w.WriteByte('}')
	case list:
		w.WriteString(`{"kind":"list","items":`)
		w.nodes(n)
		w.WriteByte('}')
	case keep:
		w.WriteString("null")
	case instructionNode:
		text, _ := n.write(JSON) // every value has a structure
		w.WriteString(text)
	case linearMap, xorMap, bitMatrix, f2Number, encodingRecord:
		w.WriteString(bitsJSON(n))
	}
}

// tupleKind returns the kind as in girih eval --json.
func tupleKind(t tree) string {
	if has(t, isOpen) {
		return "coord"
	}
	if _, ok := t.(number); ok {
		return "int"
	}
	return "tuple"
}

func (w *jsonWriter) composedChain(c composed) {
	w.WriteString(`{"kind":"composed_layout","stages":[`)
	for i, s := range c.stages {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString(`{"outer":`)
		w.node(s.outer)
		w.WriteString(`,"offset":`)
		w.tree(s.offset)
		w.WriteByte('}')
	}
	w.WriteString(`],"inner":`)
	w.node(c.inner)
	fmt.Fprintf(w, `,"static":%t}`, allStatic(c))
}

func (w *jsonWriter) nodes(ns []node) {
	w.WriteByte('[')
	for i, n := range ns {
		if i > 0 {
			w.WriteByte(',')
		}
		w.node(n)
	}
	w.WriteByte(']')
}

func (w *jsonWriter) tree(t tree) {
	switch t := t.(type) {
	case number:
		w.number(t)
	case sum:
		w.WriteString(`{"sum":[`)
		for i, t := range t {
			if i > 0 {
				w.WriteByte(',')
			}
			w.WriteString(`{"scale":`)
			w.number(t.scale)
			w.WriteString(`,"path":[` + indices(t.path, ",") + `]}`)
		}
		w.WriteString(`]}`)
	case open:
		w.WriteString("null")
	case branch:
		w.WriteByte('[')
		for i, e := range t {
			if i > 0 {
				w.WriteByte(',')
			}
			w.tree(e)
		}
		w.WriteByte(']')
	}
}

func (w *jsonWriter) number(x number) {
	if x.formula == nil {
		w.WriteString(strconv.FormatInt(x.static, 10))
		return
	}
	sym, err := json.Marshal(speaker{girihExpr, symbolName}.text(x.formula, levelAdd))
	if err != nil {
		return // a string always has a JSON form
	}
	w.WriteString(`{"sym":` + string(sym))
	if x.facts.div > 1 {
		fmt.Fprintf(w, `,"div":%d`, x.facts.div)
	}
	if x.facts.bits != 0 {
		fmt.Fprintf(w, `,"bits":%d`, x.facts.bits)
	}
	w.WriteByte('}')
}
