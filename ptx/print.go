package ptx

import "strconv"

// String returns the text of m. Parsing this text gives the same tree, except for positions.
func (m *Module) String() string { return string(m.appendTo(nil)) }

// appendTo appends the text of m, one line per directive and instruction.
func (m *Module) appendTo(dst []byte) []byte {
	dst = append(dst, ".version "...)
	dst = append(dst, m.Version.String()...)
	dst = append(dst, "\n.target "...)
	for i, t := range m.Target {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, t...)
	}
	if m.AddressSize != 0 {
		dst = append(dst, "\n.address_size "...)
		dst = strconv.AppendInt(dst, int64(m.AddressSize), 10)
	}
	dst = append(dst, '\n')
	for i, d := range m.Decls {
		if i == 0 || isLong(d) || isLong(m.Decls[i-1]) {
			dst = append(dst, '\n')
		}
		dst = append(d.appendTo(dst, 0), '\n')
	}
	return dst
}

// isLong reports whether d is printed between empty lines.
func isLong(d Decl) bool {
	switch d.(type) {
	case *Func, *Section:
		return true
	}
	return false
}

// String returns the version as the directive .version states it.
func (v Version) String() string { return strconv.Itoa(v.Major) + "." + strconv.Itoa(v.Minor) }

const tabs = "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t"

// newline starts a line with an indentation of depth tabs. It writes at most len(tabs), so that the text does not grow
// quadratically with the depth.
func newline(dst []byte, depth int) []byte {
	return append(append(dst, '\n'), tabs[:min(depth, len(tabs))]...)
}

func (f *Func) appendTo(dst []byte, _ int) []byte {
	dst = appendLinkage(dst, f.Linkage)
	if f.Entry {
		dst = append(dst, ".entry "...)
	} else {
		dst = append(dst, ".func "...)
	}
	dst = appendAttributes(dst, f.Attributes)
	if len(f.Returns) > 0 {
		dst = append(appendParams(dst, f.Returns), ' ')
	}
	dst = append(dst, f.Name...)
	dst = appendParams(dst, f.Params)
	for _, d := range f.Directives {
		dst = d.appendTo(append(dst, '\n'))
	}
	if f.Body == nil {
		return append(dst, ';')
	}
	return f.Body.appendTo(append(dst, '\n'), 0)
}

// String returns the text of f as in a module.
func (f *Func) String() string { return string(f.appendTo(nil, 0)) }

// appendParams appends a list of parameters in parentheses, one per line if there are several.
func appendParams(dst []byte, params []*Var) []byte {
	dst = append(dst, '(')
	for i, v := range params {
		if i > 0 {
			dst = append(dst, ',')
		}
		if len(params) > 1 {
			dst = append(dst, "\n\t"...)
		}
		dst = v.appendDecl(dst)
	}
	if len(params) > 1 {
		dst = append(dst, '\n')
	}
	return append(dst, ')')
}

func appendLinkage(dst []byte, l Linkage) []byte {
	if l == "" {
		return dst
	}
	return append(append(append(dst, '.'), l...), ' ')
}

func appendAttributes(dst []byte, attributes []string) []byte {
	if len(attributes) == 0 {
		return dst
	}
	dst = append(dst, ".attribute("...)
	for i, a := range attributes {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(append(dst, '.'), a...)
	}
	return append(dst, ") "...)
}

// String returns the text of d.
func (d Directive) String() string { return string(d.appendTo(nil)) }

func (d Directive) appendTo(dst []byte) []byte {
	dst = append(append(dst, '.'), d.Name...)
	if len(d.Strings) > 0 {
		return append(appendQuoted(dst, d.Strings), ';')
	}
	for i, n := range d.Args {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(append(dst, ' '), n, 10)
	}
	return dst
}

func appendQuoted(dst []byte, list []string) []byte {
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, ` "`...), s...), '"')
	}
	return dst
}

func (v *Var) appendTo(dst []byte, _ int) []byte { return append(v.appendDecl(dst), ';') }

// String returns the text of v.
func (v *Var) String() string { return string(v.appendTo(nil, 0)) }

// appendDecl appends the declaration of v, as in a list of parameters.
func (v *Var) appendDecl(dst []byte) []byte {
	dst = appendLinkage(dst, v.Linkage)
	dst = append(append(append(dst, '.'), v.Space...), ' ')
	dst = appendAttributes(dst, v.Attributes)
	dst = appendAlign(dst, v.Align)
	if v.Vec != 0 {
		dst = append(strconv.AppendInt(append(dst, ".v"...), int64(v.Vec), 10), ' ')
	}
	dst = append(append(append(dst, '.'), v.Type...), ' ')
	if v.Ptr != nil {
		dst = append(dst, ".ptr "...)
		if v.Ptr.Space != "" {
			dst = append(append(append(dst, '.'), v.Ptr.Space...), ' ')
		}
		dst = appendAlign(dst, v.Ptr.Align)
	}
	dst = append(dst, v.Name...)
	if v.Count != 0 {
		dst = append(strconv.AppendInt(append(dst, '<'), int64(v.Count), 10), '>')
	}
	for _, d := range v.Dims {
		dst = append(dst, '[')
		if d >= 0 {
			dst = strconv.AppendInt(dst, d, 10)
		}
		dst = append(dst, ']')
	}
	if v.Init != nil {
		dst = v.Init.appendTo(append(dst, " = "...))
	}
	return dst
}

func appendAlign(dst []byte, align int) []byte {
	if align == 0 {
		return dst
	}
	return append(strconv.AppendInt(append(dst, ".align "...), int64(align), 10), ' ')
}

func (a *Alias) appendTo(dst []byte, _ int) []byte {
	dst = append(append(dst, ".alias "...), a.Name...)
	return append(append(append(dst, ", "...), a.Of...), ';')
}

// String returns the text of a.
func (a *Alias) String() string { return string(a.appendTo(nil, 0)) }

func (f *File) appendTo(dst []byte, _ int) []byte {
	dst = strconv.AppendInt(append(dst, ".file "...), int64(f.Index), 10)
	dst = appendQuoted(dst, []string{f.Name})
	if f.Timestamp != 0 || f.Size != 0 {
		dst = strconv.AppendInt(append(dst, ", "...), f.Timestamp, 10)
		dst = strconv.AppendInt(append(dst, ", "...), f.Size, 10)
	}
	return dst
}

// String returns the text of f.
func (f *File) String() string { return string(f.appendTo(nil, 0)) }

func (p *Pragma) appendTo(dst []byte, _ int) []byte {
	return append(appendQuoted(append(dst, ".pragma"...), p.Strings), ';')
}

// String returns the text of p.
func (p *Pragma) String() string { return string(p.appendTo(nil, 0)) }

func (s *Section) appendTo(dst []byte, _ int) []byte {
	dst = append(append(dst, ".section "...), s.Name...)
	return append(append(append(dst, "\n{\n"...), s.Text...), "\n}"...)
}

// String returns the text of s.
func (s *Section) String() string { return string(s.appendTo(nil, 0)) }

func (b *Block) appendTo(dst []byte, depth int) []byte {
	dst = append(dst, '{')
	for _, s := range b.Stmts {
		if _, ok := s.(*Label); ok {
			dst = s.appendTo(append(dst, '\n'), depth)
			continue
		}
		dst = s.appendTo(newline(dst, depth+1), depth+1)
	}
	return append(newline(dst, depth), '}')
}

// String returns the text of b.
func (b *Block) String() string { return string(b.appendTo(nil, 0)) }

func (l *Label) appendTo(dst []byte, _ int) []byte { return append(append(dst, l.Name...), ':') }

// String returns the text of l.
func (l *Label) String() string { return string(l.appendTo(nil, 0)) }

func (in *Instr) appendTo(dst []byte, _ int) []byte {
	if in.Pred != "" {
		dst = append(dst, '@')
		if in.Not {
			dst = append(dst, '!')
		}
		dst = append(append(dst, in.Pred...), ' ')
	}
	dst = append(dst, in.Op...)
	for i, x := range in.Operands {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = x.appendTo(append(dst, ' '))
	}
	return append(dst, ';')
}

// String returns the text of in.
func (in *Instr) String() string { return string(in.appendTo(nil, 0)) }

func (l *Loc) appendTo(dst []byte, _ int) []byte {
	dst = l.appendPlace(append(dst, ".loc"...))
	for at := l; at.At != nil; at = at.At {
		dst = append(append(dst, ", function_name "...), at.Function...)
		if at.Offset != 0 {
			dst = appendOffset(dst, at.Offset)
		}
		dst = at.At.appendPlace(append(dst, ", inlined_at"...))
	}
	return dst
}

// appendPlace appends the three numbers of a place, each after a space.
func (l *Loc) appendPlace(dst []byte) []byte {
	for _, n := range [...]int{l.File, l.Line, l.Col} {
		dst = strconv.AppendInt(append(dst, ' '), int64(n), 10)
	}
	return dst
}

// String returns the text of l.
func (l *Loc) String() string { return string(l.appendTo(nil, 0)) }

func (t *Targets) appendTo(dst []byte, _ int) []byte {
	dst = append(dst, t.Name...)
	if t.Calls {
		dst = append(dst, ": .calltargets "...)
	} else {
		dst = append(dst, ": .branchtargets "...)
	}
	for i, n := range t.List {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, n...)
	}
	return append(dst, ';')
}

// String returns the text of t.
func (t *Targets) String() string { return string(t.appendTo(nil, 0)) }

func (p *Prototype) appendTo(dst []byte, _ int) []byte {
	dst = append(append(dst, p.Name...), ": .callprototype "...)
	if len(p.Returns) > 0 {
		dst = append(appendParams(dst, p.Returns), ' ')
	}
	dst = appendParams(append(dst, '_'), p.Params)
	for _, d := range p.Directives {
		dst = d.appendTo(append(dst, ' '))
	}
	return append(dst, ';')
}

// String returns the text of p.
func (p *Prototype) String() string { return string(p.appendTo(nil, 0)) }
