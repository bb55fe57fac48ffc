package program_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"girih/internal/lang/program"
)

// This file writes the trees of this package as CPython writes its own.

// pythonForm writes a tree of Python as astScript does.
type pythonForm struct{ src string }

func row(parts ...string) string { return "(" + strings.Join(parts, " ") + ")" }

func quoted(s string) string {
	var b bytes.Buffer
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteString("\\" + string(c))
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\b':
			b.WriteString(`\b`)
		case c == '\f':
			b.WriteString(`\f`)
		case c >= ' ' && c < 0x7f:
			b.WriteRune(c)
		case c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			c -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+c>>10, 0xdc00+c&0x3ff)
		}
	}
	return `"` + b.String() + `"`
}

func (f pythonForm) many(list []program.Expr) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = f.expr(x)
	}
	return "[" + strings.Join(out, " ") + "]"
}

func (f pythonForm) parts(list []program.Part) string {
	var out []string
	text := ""
	for i, p := range list {
		if p.X == nil {
			text += p.Text
			if text != "" && (i+1 == len(list) || list[i+1].X != nil) {
				out = append(out, quoted(text))
				text = ""
			}
			continue
		}
		conv, spec := "-", "-"
		if p.Conv != 0 {
			conv = string(p.Conv)
		}
		if p.Spec != nil {
			spec = "[" + f.parts(p.Spec) + "]"
		}
		out = append(out, row("v", f.expr(p.X), conv, spec))
	}
	return strings.Join(out, " ")
}

func (f pythonForm) params(list []program.Param) string {
	out := []string{"params"}
	for _, q := range list {
		kind := map[int]string{0: "p", 1: "*", 2: "**"}[q.Star]
		if q.KeyOnly {
			kind = "key"
		}
		if q.PlaceOnly {
			kind = "place"
		}
		out = append(out, row(kind, q.Name, f.expr(q.Type), f.expr(q.Default)))
	}
	return row(out...)
}

func (f pythonForm) expr(x program.Expr) string {
	if x == nil {
		return "-"
	}
	switch x := x.(type) {
	case *program.Number:
		if x.IsFloat {
			return fmt.Sprintf("f%d", math.Float64bits(x.F))
		}
		return fmt.Sprint(x.N)
	case *program.Text:
		if p := f.parts(x.Parts); p != "" {
			return row("text", p)
		}
		return row("text")
	case *program.Constant:
		return x.Value
	case *program.Name:
		return x.Name
	case *program.Attr:
		return row(".", f.expr(x.X), x.Name)
	case *program.Index:
		return row("index", f.expr(x.X), f.expr(x.Args[0]))
	case *program.Slice:
		return row("slice", f.expr(x.Low), f.expr(x.High), f.expr(x.Step))
	case *program.Call:
		var place []program.Expr
		var keys []string
		for _, a := range x.Args {
			switch {
			case a.Two:
				keys = append(keys, row("**", f.expr(a.X.(*program.Star).X)))
			case a.Name != "":
				keys = append(keys, row(a.Name, f.expr(a.X)))
			default:
				place = append(place, a.X)
			}
		}
		return row("call", f.expr(x.Fn), f.many(place), "["+strings.Join(keys, " ")+"]")
	case *program.Unary:
		return row(x.Op, f.expr(x.X))
	case *program.Binary:
		return row(x.Op, f.expr(x.X), f.expr(x.Y))
	case *program.Logic:
		return row(map[bool]string{true: "or", false: "and"}[x.Or], f.expr(x.X), f.expr(x.Y))
	case *program.Compare:
		out := []string{"compare", f.expr(x.X[0])}
		for i, op := range x.Ops {
			out = append(out, op, f.expr(x.X[i+1]))
		}
		return row(out...)
	case *program.Cond:
		return row("if", f.expr(x.Cond), f.expr(x.Then), f.expr(x.Else))
	case *program.Tuple:
		return row("tuple", f.many(x.Elems))
	case *program.List:
		return row("list", f.many(x.Elems))
	case *program.Set:
		return row("set", f.many(x.Elems))
	case *program.Dict:
		out := []string{"dict"}
		for i := range x.Keys {
			out = append(out, f.expr(x.Keys[i]), f.expr(x.Values[i]))
		}
		return row(out...)
	case *program.Lambda:
		return row("lambda", f.params(x.Def.Params), f.expr(x.Def.Body[0].(*program.Return).X))
	case *program.Comprehension:
		out := []string{"comp" + string(x.Kind)}
		if x.Kind == ':' {
			out = append(out, f.expr(x.Key))
		}
		out = append(out, f.expr(x.X))
		for _, l := range x.Loops {
			out = append(out, row("for", f.expr(l.Target), f.expr(l.X), f.many(l.Ifs)))
		}
		return row(out...)
	case *program.Star:
		return row("star", f.expr(x.X))
	case *program.Walrus:
		return row(":=", x.Target.Name, f.expr(x.X))
	case *program.Girih:
		return "`" + f.src[x.From:x.To] + "`"
	}
	return fmt.Sprintf("%T", x)
}

func (f pythonForm) block(list []program.Stmt) string {
	out := []string{"do"}
	for _, st := range list {
		out = append(out, f.stmt(st))
	}
	return row(out...)
}

func (f pythonForm) stmt(st program.Stmt) string {
	switch st := st.(type) {
	case *program.Value:
		return row("expr", f.expr(st.X))
	case *program.Assign:
		return row("=", f.many(st.Targets), f.expr(st.X), f.expr(st.Type))
	case *program.Augment:
		return row(st.Op+"=", f.expr(st.Target), f.expr(st.X))
	case *program.If:
		return row("If", f.expr(st.Cond), f.block(st.Then), f.block(st.Else))
	case *program.While:
		return row("While", f.expr(st.Cond), f.block(st.Body), f.block(st.Else))
	case *program.For:
		return row("For", f.expr(st.Target), f.expr(st.X), f.block(st.Body), f.block(st.Else))
	case *program.Def:
		return row("def", st.Name, f.params(st.Params), f.expr(st.Result), f.many(st.Decorators), f.block(st.Body))
	case *program.Return:
		return row("return", f.expr(st.X))
	case *program.Jump:
		return row(map[bool]string{true: "continue", false: "break"}[st.Continue])
	case *program.Assert:
		return row("assert", f.expr(st.Cond), f.expr(st.Message))
	case *program.Names:
		out := []string{st.Keyword}
		for _, x := range st.List {
			out = append(out, f.expr(x))
		}
		return row(out...)
	}
	return fmt.Sprintf("%T", st)
}
