package program_test

import (
	"fmt"
	"reflect"
	"strings"

	"girih/internal/lang/program"
)

// dump returns a tree in one line: (Binary + a 1). Fields that are zero, spans and sources are left out; a field
// that is true is written as its name. A Girih expression has its text.
func dump(src string, node any) string {
	var b strings.Builder
	d := dumper{src, &b}
	d.value(reflect.ValueOf(node))
	return strings.TrimSpace(b.String())
}

type dumper struct {
	src string
	b   *strings.Builder
}

func (d dumper) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			d.b.WriteString(" nil")
			return
		}
		d.value(v.Elem())
	case reflect.Slice:
		if v.Len() == 0 {
			d.b.WriteString(" []")
		}
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Struct:
		d.node(v)
	case reflect.Uint8:
		fmt.Fprintf(d.b, " %q", rune(v.Uint()))
	default:
		fmt.Fprintf(d.b, " %v", v)
	}
}

func (d dumper) node(v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *program.Number:
		fmt.Fprintf(d.b, " %s", x.Text)
		return
	case *program.Name:
		fmt.Fprintf(d.b, " %s", strings.TrimPrefix(x.Path+"::"+x.Name, "::"))
		return
	case *program.Text:
		text, _ := program.TextOf(x)
		fmt.Fprintf(d.b, " %q", text)
		return
	case *program.Girih:
		fmt.Fprintf(d.b, " `%s`", d.src[x.From:x.To])
		return
	}
	fmt.Fprintf(d.b, " (%s", v.Type().Name())
	for i := range v.NumField() {
		f, x := v.Type().Field(i), v.Field(i)
		switch {
		case f.Name == "Span" || f.Name == "Src" || f.Name == "Lang" || f.Name == "At":
		case x.IsZero() && (f.Type.Kind() != reflect.Interface || f.Name != "X" && f.Name != "Type"):
		case f.Type.Kind() == reflect.Bool:
			d.b.WriteString(" " + strings.ToLower(f.Name))
		case f.Type.Kind() == reflect.Slice && f.Name != "X":
			d.b.WriteString(" " + strings.ToLower(f.Name) + ":")
			d.value(x)
			d.b.WriteString(";")
		default:
			d.value(x)
		}
	}
	d.b.WriteString(")")
}
