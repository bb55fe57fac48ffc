package ptx

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// sameTree reports whether a and b are the same tree, and if not, how they differ. It clears positions, which do not
// affect the meaning of a tree.
func sameTree(a, b *Module) (string, bool) {
	clearPos(a)
	clearPos(b)
	if reflect.DeepEqual(a, b) {
		return "", true
	}
	return cmp.Diff(a, b), false
}

func clearPos(m *Module) {
	vars := func(lists ...[]*Var) {
		for _, v := range slices.Concat(lists...) {
			v.Pos = Pos{}
		}
	}
	for _, d := range m.Decls {
		if v, ok := d.(*Var); ok {
			v.Pos = Pos{}
		}
	}
	for f := range m.Funcs() {
		f.Pos = Pos{}
		vars(f.Returns, f.Params)
		for s := range f.Stmts() {
			switch s := s.(type) {
			case *Instr:
				s.Pos = Pos{}
			case *Label:
				s.Pos = Pos{}
			case *Targets:
				s.Pos = Pos{}
			case *Prototype:
				s.Pos = Pos{}
				vars(s.Returns, s.Params)
			case *Var:
				s.Pos = Pos{}
			}
		}
	}
}

// TestPrintThenParse checks that parsing the printed text of a tree gives the same tree.
func TestPrintThenParse(t *testing.T) {
	t.Parallel()
	rapid.Check(t, printThenParse)
}

func FuzzPrintThenParse(f *testing.F) { f.Fuzz(rapid.MakeFuzz(printThenParse)) }

func printThenParse(t *rapid.T) {
	m := drawModule(t)
	text := m.String()
	got, err := Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, err.(*Error).Caret(), text)
	}
	if diff, same := sameTree(m, got); !same {
		t.Fatalf("-printed +parsed:\n%s\n%s", diff, text)
	}
}

// TestLooseText checks that white space, comments and line ends between tokens do not change the parsed tree.
func TestLooseText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := drawModule(t)
		var loose strings.Builder
		s := scanner{src: m.String(), line: 1}
		for s.next(); s.kind != eof; s.next() {
			between := s.src[s.before:s.start]
			if between != "" || strings.IndexByte("{}[](),;@!", s.src[s.start]) >= 0 {
				between += rapid.SampledFrom([]string{" ", "\t", "\r\n", " // c\n", "/* ' \n * */"}).Draw(t, "blank")
			}
			loose.WriteString(between + s.token())
		}
		got, err := Parse(loose.String())
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, err.(*Error).Caret(), loose.String())
		}
		for _, m := range []*Module{m, got} {
			for _, d := range m.Decls {
				if s, ok := d.(*Section); ok {
					s.Text = "" // the text of a section includes its white space and comments
				}
			}
		}
		if diff, same := sameTree(m, got); !same {
			t.Fatalf("-printed +parsed:\n%s\n%s", diff, loose.String())
		}
	})
}

// The functions below draw trees as Parse returns them: no Sym has only a Name, and no offset follows an Int.

var someNames = []Name{
	"a", "%r1", "%rd12", "$L__BB0_1", "_Z3fooPf", "x$y", "%p0", "_a", "Ab9", "generics", "WARP_SZ2", "version",
}

func drawName(t *rapid.T) Name { return rapid.SampledFrom(someNames).Draw(t, "name") }

func drawMember(t *rapid.T) Name {
	return drawName(t) + rapid.SampledFrom([]Name{"", "", ".x", ".b0", ".h1"}).Draw(t, "part")
}

func maybe(t *rapid.T) bool { return rapid.Bool().Draw(t, "maybe") }

func drawList[T any](t *rapid.T, most int, draw func(*rapid.T) T) []T {
	var list []T
	for range rapid.IntRange(0, most).Draw(t, "length") {
		list = append(list, draw(t))
	}
	return list
}

func drawModule(t *rapid.T) *Module {
	return &Module{
		Version:     Version{rapid.IntRange(0, 99).Draw(t, "major"), rapid.IntRange(0, 99).Draw(t, "minor")},
		Target:      append([]string{"sm_90a"}, drawList(t, 2, func(t *rapid.T) string { return string(drawName(t)) })...),
		AddressSize: rapid.SampledFrom([]int{0, 32, 64}).Draw(t, "size"),
		Decls:       drawList(t, 4, drawDecl),
	}
}

func drawText(t *rapid.T) string {
	return rapid.StringMatching(`[a-z ./{};,\\n]{0,8}[a-z]`).Draw(t, "text")
}

func drawDecl(t *rapid.T) Decl {
	switch rapid.IntRange(0, 7).Draw(t, "decl") {
	case 0:
		f := &File{Index: rapid.IntRange(0, 1<<20).Draw(t, "index"), Name: drawText(t)}
		if maybe(t) {
			f.Timestamp, f.Size = rapid.Int64Min(0).Draw(t, "time"), rapid.Int64Min(0).Draw(t, "size")
		}
		return f
	case 1:
		text := strings.Join(drawList(t, 3, func(t *rapid.T) string {
			return rapid.SampledFrom([]string{".b8 1,2,0x3", "a:", ".b64 a+4", "{ .b32 b }", ".b32 a-b // } \""}).Draw(t, "line")
		}), "\n")
		if strings.HasSuffix(text, "\"") {
			text += "\n.b8 1"
		}
		return &Section{Name: ".debug_info", Text: text}
	case 2:
		return &Alias{drawName(t), drawName(t)}
	case 3:
		return drawPragma(t)
	case 4, 5:
		return drawFunc(t)
	}
	return drawVar(t)
}

func drawPragma(t *rapid.T) *Pragma { return &Pragma{append(drawList(t, 2, drawText), "nounroll")} }

func drawLinkage(t *rapid.T) Linkage {
	return rapid.SampledFrom([]Linkage{"", "", Extern, Visible, Weak, Common}).Draw(t, "linkage")
}

func drawFunc(t *rapid.T) *Func {
	f := &Func{Linkage: drawLinkage(t), Entry: maybe(t), Name: drawName(t), Params: drawList(t, 3, drawParam)}
	f.Directives = drawList(t, 3, drawDirective)
	f.Attributes = drawAttributes(t)
	if !f.Entry {
		f.Returns = drawList(t, 1, drawParam)
	}
	if maybe(t) {
		f.Body = drawBlock(t, 3)
	}
	return f
}

func drawAttributes(t *rapid.T) []string {
	return rapid.SampledFrom([][]string{nil, nil, {"managed"}, {"unified(1, -2)", "managed"}}).Draw(t, "attributes")
}

func drawDirective(t *rapid.T) Directive {
	if maybe(t) {
		return Directive{Name: "pragma", Strings: drawPragma(t).Strings}
	}
	name := rapid.SampledFrom([]string{"maxntid", "noreturn", "reqntid", "explicitcluster", "of2031"}).Draw(t, "directive")
	args := drawList(t, 3, func(t *rapid.T) int64 { return rapid.Int64Range(0, 1<<32-1).Draw(t, "arg") })
	return Directive{Name: name, Args: args}
}

func drawAlign(t *rapid.T) int { return rapid.SampledFrom([]int{0, 1, 4, 1024}).Draw(t, "align") }

func drawParam(t *rapid.T) *Var {
	v := drawVar(t)
	v.Linkage, v.Init = "", nil
	if maybe(t) {
		v.Ptr = &Ptr{rapid.SampledFrom([]Space{"", Global, Shared}).Draw(t, "space"), drawAlign(t)}
	}
	return v
}

func drawVar(t *rapid.T) *Var {
	v := &Var{
		Linkage:    drawLinkage(t),
		Space:      rapid.SampledFrom([]Space{Reg, Const, Global, Local, Param, Shared, Tex, SReg}).Draw(t, "space"),
		Attributes: drawAttributes(t),
		Align:      drawAlign(t),
		Vec:        rapid.SampledFrom([]int{0, 0, 2, 4, 8}).Draw(t, "vec"),
		Type:       rapid.SampledFrom([]Type{U8, S64, B128, BF16x2, "e4m3x2", Pred, "texref", F64}).Draw(t, "type"),
		Name:       drawName(t),
		Count:      rapid.SampledFrom([]int{0, 0, 1, MaxCount}).Draw(t, "count"),
		Dims:       drawList(t, 2, func(t *rapid.T) int64 { return rapid.Int64Min(-1).Draw(t, "extent") }),
	}
	if maybe(t) {
		v.Init = drawInit(t, 3)
	}
	return v
}

func drawInit(t *rapid.T, depth int) Operand {
	n := rapid.IntRange(0, 6).Draw(t, "init")
	switch {
	case n == 0 && depth > 0:
		return Vec(drawList(t, 4, func(t *rapid.T) Operand { return drawInit(t, depth-1) }))
	case n == 1:
		return Field{drawName(t), drawName(t)}
	case n == 2:
		s := Sym{drawName(t), rapid.Int64().Draw(t, "offset"), maybe(t), rapid.Uint64().Draw(t, "mask")}
		if s == (Sym{Name: s.Name}) {
			return s.Name
		}
		return s
	}
	return drawScalar(t)
}

func drawScalar(t *rapid.T) Operand {
	switch rapid.IntRange(0, 3).Draw(t, "scalar") {
	case 0:
		return Bits32(rapid.Uint32().Draw(t, "f32"))
	case 1:
		return Bits64(rapid.Uint64().Draw(t, "f64"))
	case 2:
		return drawMember(t)
	}
	return Int(rapid.Int64().Draw(t, "int"))
}

func drawBlock(t *rapid.T, depth int) *Block {
	return &Block{drawList(t, 6, func(t *rapid.T) Stmt { return drawStmt(t, depth) })}
}

func drawStmt(t *rapid.T, depth int) Stmt {
	n := rapid.IntRange(0, 12).Draw(t, "stmt")
	switch {
	case n == 0 && depth > 0:
		return drawBlock(t, depth-1)
	case n == 1:
		return &Label{Name: drawName(t)}
	case n == 2:
		return drawVar(t)
	case n == 3:
		return drawLoc(t, 2)
	case n == 4:
		return drawPragma(t)
	case n == 5:
		list := append(drawList(t, 3, drawName), "a")
		return &Targets{Name: drawName(t), Calls: maybe(t), List: list}
	case n == 6:
		return &Prototype{
			Name: drawName(t), Returns: drawList(t, 1, drawParam), Params: drawList(t, 2, drawParam),
			Directives: drawList(t, 1, drawDirective),
		}
	}
	return drawInstr(t)
}

func drawLoc(t *rapid.T, depth int) *Loc {
	number := rapid.IntRange(0, 1<<31-1)
	l := &Loc{File: number.Draw(t, "file"), Line: number.Draw(t, "line"), Col: number.Draw(t, "col")}
	if depth > 0 && maybe(t) {
		l.Function, l.Offset, l.At = drawName(t), rapid.Int64().Draw(t, "offset"), drawLoc(t, depth-1)
	}
	return l
}

func drawInstr(t *rapid.T) *Instr {
	in := &Instr{
		Op: rapid.SampledFrom([]Op{
			"ret", "mov.b64", "ld.shared::cluster.v4.f32", "x2.y_z.3d",
			"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group",
		}).Draw(t, "op"),
	}
	in.Operands = drawList(t, 4, func(t *rapid.T) Operand { return drawOperand(t, 3) })
	if maybe(t) {
		in.Pred, in.Not = drawMember(t), maybe(t)
	}
	if rapid.IntRange(0, 5).Draw(t, "call") == 0 {
		args := func(label string) Args {
			return drawList(t, 3, func(t *rapid.T) Operand { return drawScalar(t) })
		}
		in.Op, in.Operands = "call.uni", []Operand{args("returns"), drawName(t), args("args"), drawName(t)}
	}
	return in
}

func drawOperand(t *rapid.T, depth int) Operand {
	switch n := rapid.IntRange(0, 12).Draw(t, "operand"); {
	case n == 0 && depth > 0:
		return Vec(drawList(t, 4, func(t *rapid.T) Operand { return drawOperand(t, depth-1) }))
	case n <= 2:
		a := Addr{Base: drawMember(t), Offset: rapid.Int64().Draw(t, "offset")}
		if maybe(t) {
			a.Base, a.Offset = Int(rapid.Int64().Draw(t, "address")), 0
		}
		if depth > 0 {
			a.Args = drawList(t, 2, func(t *rapid.T) Operand { return drawOperand(t, depth-1) })
		}
		return a
	case n == 3:
		return Pair{drawMember(t), drawMember(t)}
	case n == 4:
		return Unary{rapid.SampledFrom([]byte("!-")).Draw(t, "op"), drawMember(t)}
	case n == 5:
		return Sym{Name: drawMember(t), Offset: rapid.Int64Range(1, 1<<40).Draw(t, "offset")}
	case n == 6:
		return Elem{drawMember(t), drawMember(t), rapid.Int64().Draw(t, "offset")}
	case n == 7:
		return Sink
	}
	return drawScalar(t)
}
