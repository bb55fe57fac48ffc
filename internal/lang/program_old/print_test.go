package program

import (
	"strings"
)

// canonical writes each statement in one canonical spelling, one statement per line.
func canonical(list []Stmt) string {
	var b strings.Builder
	write(&b, list, "")
	return b.String()
}

func write(b *strings.Builder, list []Stmt, indent string) {
	for _, s := range list {
		b.WriteString(indent)
		switch s := s.(type) {
		case *Unpack:
			names := strings.Join(s.Names, ", ")
			if len(s.Names) == 1 {
				names += ","
			}
			b.WriteString(names + " = " + s.X.Text + "\n")
		case *Bind:
			textBind(b, s)
		case *Value:
			textValue(b, s)
		case *Show:
			textShow(b, s)
		case *Return:
			textReturn(b, s)
		case *Print:
			textPrint(b, s)
		case *Assert:
			textAssert(b, s)
		case *Def:
			textDef(b, s, indent)
		case *For:
			textFor(b, s, indent)
		}
	}
	if len(list) == 0 && indent != "" {
		b.WriteString(indent + "pass\n")
	}
}

func textBind(b *strings.Builder, s *Bind) { b.WriteString(s.Name + " = " + s.X.Text + "\n") }

func textValue(b *strings.Builder, s *Value) { b.WriteString(s.X.Text + "\n") }

func textShow(b *strings.Builder, s *Show) { b.WriteString(s.Name + "(" + s.X.Text + ")\n") }

func textReturn(b *strings.Builder, s *Return) {
	b.WriteString(strings.TrimSpace("return "+s.X.Text) + "\n")
}

func textPrint(b *strings.Builder, s *Print) {
	parts := s.Parts
	switch {
	case s.C && len(parts) == 1 && parts[0].X.Text != "" && parts[0].Spec == "":
		b.WriteString("print(" + parts[0].X.Text + ");\n")
		return
	case s.C, s.Late:
		textPrintf(b, s)
		return
	}
	b.WriteString("print(")
	for _, p := range parts {
		if p.X.Text != "" && p.Spec == "" {
			b.WriteString(p.X.Text + ", ")
		} else {
			b.WriteString(quote([]Part{p}) + ", ")
		}
	}
	b.WriteString("sep=\"\", end=\"\")\n")
}

// format writes a printf with its format and values: with % as in C++, or with {} as in the DSL.
func textPrintf(b *strings.Builder, s *Print) {
	name, after := "cute.printf", ""
	if s.C {
		name, after = "printf", ";"
	}
	var format, args strings.Builder
	for i, p := range s.Parts {
		switch text := p.Text; {
		case p.X.Text != "" && s.C:
			format.WriteString("%" + p.Spec)
			if !strings.HasSuffix(p.Spec, "d") && !strings.HasSuffix(p.Spec, "x") && !strings.HasSuffix(p.Spec, "s") {
				format.WriteString("s")
			}
			args.WriteString(", " + p.X.Text)
		case p.X.Text != "":
			format.WriteString(strings.TrimSuffix("{:"+p.Spec, ":") + "}")
			args.WriteString(", " + p.X.Text)
		case s.C:
			format.WriteString(strings.ReplaceAll(escape(text), "%", "%%"))
		default:
			if i == len(s.Parts)-1 {
				text = strings.TrimSuffix(text, "\n")
			}
			format.WriteString(doubleBraces(text))
		}
	}
	b.WriteString(name + "(" + `"` + format.String() + `"` + args.String() + ")" + after + "\n")
}

func textAssert(b *strings.Builder, s *Assert) {
	b.WriteString("assert ")
	for i, t := range s.Tests {
		if i > 0 {
			b.WriteString(" and ")
		}
		b.WriteString(t.X.Text)
		if t.Op != "" {
			b.WriteString(" " + t.Op + " " + t.Y.Text)
		}
	}
	switch m := s.Message; {
	case len(m) == 1 && m[0].X.Text != "" && m[0].Spec == "":
		b.WriteString(", " + m[0].X.Text)
	case m != nil:
		b.WriteString(", " + quote(m))
	}
	b.WriteString("\n")
}

func textDef(b *strings.Builder, s *Def, indent string) {
	if s.JIT {
		b.WriteString("@cute.jit\n" + indent)
	}
	b.WriteString("def " + s.Name + "(")
	for i, p := range s.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.Name)
		if p.Type != "" {
			b.WriteString(": " + p.Type)
		}
		if p.Default.Text != "" {
			b.WriteString(" = " + p.Default.Text)
		}
	}
	b.WriteString("):\n")
	write(b, s.Body, indent+"    ")
}

func textFor(b *strings.Builder, s *For, indent string) {
	name := "range"
	if s.Const {
		name = "cutlass.range_constexpr"
	}
	b.WriteString("for " + s.Name + " in " + name + "(")
	for i, x := range s.Range {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(x.Text)
	}
	b.WriteString("):\n")
	write(b, s.Body, indent+"    ")
}

// quote writes parts as a Python text, between quotation marks that do not occur in the values.
func quote(parts []Part) string {
	var b strings.Builder
	values := ""
	for _, p := range parts {
		if p.X.Text == "" {
			b.WriteString(doubleBraces(p.Text))
			continue
		}
		values += p.X.Text
		b.WriteString("{" + p.X.Text)
		if p.Spec != "" {
			b.WriteString(":" + p.Spec)
		}
		b.WriteString("}")
	}
	quote := `"`
	for _, q := range []string{`"`, `'`, `"""`, `'''`} {
		if quote = q; !strings.Contains(values, q) && !strings.Contains(values, "\n") ||
			len(q) == 3 && !strings.Contains(values, q) {
			break
		}
	}
	return "f" + quote + b.String() + quote
}

// doubleBraces escapes a text for use in quotation marks, with its braces doubled.
func doubleBraces(s string) string {
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(escape(s))
}

// escape writes a text for quotation marks.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`, `"`, `\"`, `'`, `\'`).Replace(s)
}
