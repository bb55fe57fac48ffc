package ptx

import (
	"iter"
	"math"
)

// Func is the definition or declaration of a kernel or function (PTX ISA 11.2).
type Func struct {
	Pos        Pos
	Linkage    Linkage
	Entry      bool     // true for a kernel
	Attributes []string // .attribute: "unified(1, 2)"
	Returns    []*Var
	Name       Name
	Params     []*Var
	Directives []Directive
	Body       *Block // nil for a declaration
}

// Directive says how a function is compiled or launched: .maxntid, .reqntid, .minnctapersm, .maxnreg, .noreturn (PTX
// ISA 11.4), .explicitcluster, .reqnctapercluster, .maxclusterrank (11.7), .pragma.
type Directive struct {
	Name    string // the name without the dot
	Args    []int64
	Strings []string // for .pragma: the texts between the quotes
}

// Directive returns the first directive called name, written without a dot; ok reports whether f has this directive.
func (f *Func) Directive(name string) (d Directive, ok bool) {
	for _, d := range f.Directives {
		if d.Name == name {
			return d, true
		}
	}
	return Directive{}, false
}

// Stmts returns the statements of f in order; an inner block comes before the statements that it contains.
func (f *Func) Stmts() iter.Seq[Stmt] {
	return func(yield func(Stmt) bool) {
		if f.Body != nil {
			f.Body.walk(yield)
		}
	}
}

// walk calls yield with each statement of b, and reports whether yield wants more.
func (b *Block) walk(yield func(Stmt) bool) bool {
	for _, s := range b.Stmts {
		if !yield(s) {
			return false
		}
		if inner, ok := s.(*Block); ok && !inner.walk(yield) {
			return false
		}
	}
	return true
}

// Var is a variable (PTX ISA 5.4), a parameter, or registers. A declaration of several names becomes several Vars.
type Var struct {
	Pos        Pos
	Linkage    Linkage
	Space      Space
	Attributes []string // .attribute: "managed"
	Align      int      // the alignment in bytes; 0 if not stated
	Vec        int      // 2, 4, 8 for .v2, .v4, .v8; 0 for no vector
	Type       Type
	Ptr        *Ptr // only for a kernel parameter that is a pointer
	Name       Name
	Count      int     // 100 for "%r<100>", which declares %r0 to %r99; 0 for a plain name
	Dims       []int64 // extents of an array; -1 for an open extent
	Init       Operand // the initial value, or nil; [Vec] for arrays
}

// Ptr describes the memory that a parameter points to (PTX ISA 5.1.6).
type Ptr struct {
	Space Space // "" for a generic address
	Align int   // the alignment in bytes; 0 if not stated
}

// Size returns the size of v in bytes. If the first extent of an array is open, Size uses the length of the initial
// value. For registers and other arrays with an open extent, Size returns 0. For a size that does not fit an int64, it
// returns [math.MaxInt64], which is above any limit.
func (v *Var) Size() int64 {
	if v.Space == Reg {
		return 0
	}
	n := int64(v.Type.Bits()+7) / 8 * int64(max(v.Vec, 1)) * int64(max(v.Count, 1))
	for i, d := range v.Dims {
		if list, ok := v.Init.(Vec); ok && i == 0 && d < 0 {
			d = int64(len(list))
		}
		switch {
		case d <= 0:
			return 0
		case n > math.MaxInt64/d:
			n = math.MaxInt64
		default:
			n *= d
		}
	}
	return n
}
