package triton

import (
	"fmt"
	"strings"
)

// A Record is the text of an encoding: a name, and fields in order.
type Record struct {
	Name   string
	Fields []Field
}

// A Field is a key and its value: an int64, a bool, a string, a list of values ([]any), or a Record. [FromRecord] also
// accepts an int for an int64, and an [Encoding] for its Record.
type Field struct {
	Key   string
	Value any
}

// String writes the record as girih read does: name{key=value, key=[1,2]}, with the values of a list in a row.
func (r Record) String() string {
	var b strings.Builder
	b.WriteString(r.Name)
	b.WriteByte('{')
	for i, f := range r.Fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.Key)
		b.WriteByte('=')
		writeValue(&b, f.Value)
	}
	b.WriteByte('}')
	return b.String()
}

func writeValue(b *strings.Builder, v any) {
	list, ok := v.([]any)
	if !ok {
		fmt.Fprint(b, v)
		return
	}
	b.WriteByte('[')
	for i, x := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		writeValue(b, x)
	}
	b.WriteByte(']')
}

// A writer collects fields.
type writer []Field

//go:noinline
func (w *writer) add(key string, value any) { *w = append(*w, Field{key, value}) }

//go:noinline
func (w *writer) ints(key string, xs []int64) {
	list := make([]any, len(xs))
	for i, x := range xs {
		list[i] = x
	}
	w.add(key, list)
}

//go:noinline
func (w *writer) dims(key string, xs []int) {
	list := make([]int64, len(xs))
	for i, x := range xs {
		list[i] = int64(x)
	}
	w.ints(key, list)
}

func (w *writer) bases(key string, bases [][]int64) {
	var inner writer
	list := make([]any, len(bases))
	for i, b := range bases {
		inner.ints("", b)
		list[i] = inner[i].Value
	}
	w.add(key, list)
}

// cga adds the fields of a cluster that are given.
func (w *writer) cga(c *cluster) {
	if len(c.CTAsPerCGA) > 0 {
		w.ints("CTAsPerCGA", c.CTAsPerCGA)
	}
	if len(c.CTASplitNum) > 0 {
		w.ints("CTASplitNum", c.CTASplitNum)
	}
	if len(c.CTAOrder) > 0 {
		w.dims("CTAOrder", c.CTAOrder)
	}
	if len(c.CGALayout) > 0 {
		w.bases("CGALayout", c.CGALayout)
	}
}

// addNested adds an encoding as a record.
func (w *writer) addNested(key string, e Encoding) {
	if e != nil {
		w.add(key, e.Record())
	}
}
