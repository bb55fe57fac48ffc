package ptx

import (
	"iter"
	"math"
)

// Func is a kernel or a function (PTX ISA 11.2), or the declaration of one.
type Func struct {
	Pos        Pos
	Linkage    Linkage
	Entry      bool     // a kernel
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
	Name    string // without the dot
	Args    []int64
	Strings []string // of .pragma, between the quotes
}

// Directive returns the first directive called name, without a dot; ok reports whether there is one.
func (f *Func) Directive(name string) (d Directive, ok bool) {
	for _, d := range f.Directives {
		if d.Name == name {
			return d, true
		}
	}
	return Directive{}, false
}

// Stmts returns the statements of f in order; an inner block comes before its statements.
func (f *Func) Stmts() iter.Seq[Stmt] {
	return func(yield func(Stmt) bool) {
		if f.Body != nil {
			f.Body.walk(yield)
		}
	}
}

// walk calls yield with the statements of b, and reports whether it wants more.
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

// Var is a variable (PTX ISA 5.4), a parameter, or registers: each name of a declaration is a Var of its own.
type Var struct {
	Pos        Pos
	Linkage    Linkage
	Space      Space
	Attributes []string // .attribute: "managed"
	Align      int      // in bytes; 0 if it is not stated
	Vec        int      // 2, 4, 8 for .v2, .v4, .v8; 0 for no vector
	Type       Type
	Ptr        *Ptr // of a parameter of a kernel that is a pointer
	Name       Name
	Count      int     // of "%r<100>", which declares %r0 to %r99; 0 for the name itself
	Dims       []int64 // of an array; -1 for an open extent
	Init       Operand // the initial value, or nil; [Vec] for arrays
}

// Ptr says where a parameter points to (PTX ISA 5.1.6).
type Ptr struct {
	Space Space // "" for a generic address
	Align int   // in bytes; 0 if it is not stated
}

// Size returns the size of v in bytes. If the first extent of an array is open, its initial value decides. Registers
// and other arrays of open size have the size 0. A size that does not fit an int64 is [math.MaxInt64], which is above
// any limit.
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
