package interp

import (
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/program"
	"girih/internal/lang/syntax"
)

// This file writes C++ types of instructions in the notation of the algebra, such as UniversalFMA<TC,TA,TB>, where the
// names TC, TA and TB are replaced by the types to which they are bound.

// instructions lists the instructions that have types as template arguments. [syntax.IsInstruction] recognises the
// instructions of one architecture, and the layout atoms of shared memory.
var instructions = program.Words(`UniversalFMA UniversalCopy SM80_CP_ASYNC_CACHEALWAYS SM80_CP_ASYNC_CACHEGLOBAL
	MMA_Atom Copy_Atom`)

func namesInstruction(t *program.Template) bool {
	name := nameOf(t.X)
	return instructions[name] || syntax.IsInstruction(name)
}

// instruction returns the type of an instruction as an expression; ok is false for any other type.
func (r *runner) instruction(x program.Expr) (tree syntax.Expr, ok bool) {
	t, ok := x.(*program.Template)
	if !ok || !namesInstruction(t) || r.lang != program.Cpp {
		return nil, false
	}
	if syntax.IsLayoutAtom(nameOf(t.X)) {
		return r.layoutAtom(t)
	}
	text := func(of program.Expr) (syntax.Expr, bool) {
		s, ok := r.instructionText(of)
		return &syntax.Text{Span: spanOf(of), Value: s}, ok
	}
	switch name := nameOf(t.X); {
	case name == "MMA_Atom" && len(t.Args) == 1:
		return text(t.Args[0])
	case name == "Copy_Atom" && len(t.Args) == 2:
		operation, ok := text(t.Args[0])
		if !ok {
			return nil, false
		}
		elem, ok := r.elementType(t.Args[1])
		return callTree("copy_atom", spanOf(x), []syntax.Expr{
			operation, &syntax.Text{Span: spanOf(x), Value: elem.String()},
		}), ok
	case name == "Copy_Atom":
		return nil, false
	}
	return text(t)
}

// instructionType returns the value for a name that a using declaration gives to the type of an instruction.
func (r *runner) instructionType(x *program.Template) (Value, error) {
	if tree, ok := r.instruction(x); ok {
		text, isText := tree.(*syntax.Text)
		if !isText {
			return r.solve(tree, x)
		}
		return TypeValue{Name: text.Value}, nil
	}
	return TypeValue{Name: strings.Join(strings.Fields(r.src[x.Pos():x.End()]), " ")}, nil
}

// instructionText returns the name of an instruction with its types in CUTLASS's spelling.
func (r *runner) instructionText(x program.Expr) (string, bool) {
	t, ok := x.(*program.Template)
	if !ok {
		name := nameOf(x)
		if v, _ := r.lookupValue(name); v != nil {
			of, isType := v.(TypeValue)
			return of.Name, isType && of.C == CNone && of.Struct == nil
		}
		return name, name != ""
	}
	var args []string
	for _, a := range t.Args {
		if elem, ok := r.elementType(a); ok {
			args = append(args, elementName(elem))
			continue
		}
		text, ok := r.instructionArgument(a)
		if !ok || instructions[nameOf(t.X)] {
			return "", false
		}
		args = append(args, text)
	}
	return nameOf(t.X) + "<" + strings.Join(args, ",") + ">", len(args) > 0
}

// instructionArgument returns the text of a template argument of an instruction that is no type: M or N, or a member of
// an enumeration, as K in GMMA::Major::K.
func (r *runner) instructionArgument(a program.Expr) (string, bool) {
	name := nameOf(a)
	v, _ := r.lookupValue(name)
	if of, ok := a.(*program.Name); ok && of.Path != "" {
		v = nil // a variable K of the program is not GMMA::Major::K
	}
	if v == nil && name != "" {
		return r.src[a.Pos():a.End()], true
	}
	n, err := r.count(a)
	return itoa(n), err == nil
}

// layoutAtom writes GMMA::Layout_K_SW128_Atom<T> with the type to which T is bound.
func (r *runner) layoutAtom(t *program.Template) (syntax.Expr, bool) {
	if len(t.Args) != 1 {
		return nil, false
	}
	elem, ok := r.elementType(t.Args[0])
	if !ok {
		return nil, false
	}
	text := nameOf(t.X) + "<" + elementName(elem) + ">"
	tree, err := syntax.ParseWithin(text, 0, len(text))
	return tree, err == nil
}

// elementName returns the name of an element type within a C++ type.
func elementName(t dtype.Type) string {
	if t.Kind() == dtype.Raw {
		return "uint" + t.String()[1:] + "_t"
	}
	return t.CPP()
}

// nameOf returns the name in an expression without its namespaces, or "" if the expression is not a name.
func nameOf(x program.Expr) string {
	if n, ok := x.(*program.Name); ok {
		return n.Name
	}
	return ""
}

// isStatic evaluates is_static<T>::value: whether the integers of a type are known when the program is compiled.
func (r *runner) isStatic(x program.Expr) (Value, error) {
	r.unsure = false
	v, err := r.templateValue(x)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case CInt:
		if !r.unsure {
			return cBools[v.Static], nil
		}
	case Algebra:
		if !v.mixed {
			return cBools[true], nil
		}
	case TypeValue:
		if v.C == CNone && v.Struct == nil && v.Elem == nil {
			return nil, errorf(cute.CodeName, "%s is not bound", v.Name)
		}
		return cBools[false], nil // a C++ type of numbers has run-time values
	}
	e := errorf(cute.CodeUnknown, "is_static is not known here for a value that was made of integers of both kinds")
	e.hint = "write the integers that C++ knows as Int<4>{}, and the others as variables"
	return nil, e
}

// overloads reports whether a call of a name refers to CuTe's function although the program binds the name to a
// function. This is the case if CuTe's function takes a different number of arguments, as gemm does.
func overloads(v Value, name string, x *program.Call) bool {
	f, ok := v.(*Func)
	if !ok || memoryRows[name] == nil || f.Def.Lang != program.Cpp {
		return false
	}
	least := 0
	for _, p := range f.Def.Params {
		if p.Default == nil && p.Star == 0 {
			least++
		}
	}
	return len(x.Args) < least
}
