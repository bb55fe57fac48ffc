package interp

import (
	"girih/cute"
	"girih/internal/lang/program"
)

// The runner's part of C++: to be completed by the author of the C++ front end.

type stream struct{}

var errCpp = errorf(cute.CodeSyntax, "this part of C++ is not run yet")

func (r *runner) insert(*stream, Value) error                 { return errCpp }
func (r *runner) cppText(Value) (string, error)               { return "", errCpp }
func (r *runner) declaration(*program.Declare) error          { return errCpp }
func (r *runner) using(*program.Using) error                  { return errCpp }
func (r *runner) structure(*program.Struct) error             { return errCpp }
func (r *runner) callCpp(*Func, *program.Call) (Value, error) { return nil, errCpp }
func (r *runner) callCppTemplate(*Func, *program.Template, *program.Call) (Value, error) {
	return nil, errCpp
}
func (r *runner) updateCell(*cell, string, Value, program.Node) (Value, error)  { return nil, errCpp }
func (r *runner) updatePlace(program.Expr, string, program.Expr) (Value, error) { return nil, errCpp }
func (r *runner) commonWith(v Value, _ program.Expr) Value                      { return v }
func (r *runner) stepped(*program.Step) (Value, error)                          { return nil, errCpp }
func (r *runner) pointer(*program.Unary) (Value, error)                         { return nil, errCpp }
func (r *runner) cast(*program.Cast) (Value, error)                             { return nil, errCpp }
func (r *runner) make(*program.Make) (Value, error)                             { return nil, errCpp }
func (r *runner) typeValue(program.Expr) (Value, error)                         { return nil, errCpp }
func (r *runner) converted(program.Expr, Value) (*cell, error)                  { return nil, errCpp }
func (r *runner) launch(*program.Call) (Value, error)                           { return nil, errCpp }
func (r *runner) cppMethod(Value, string, *arguments) (Value, error)            { return nil, errCpp }
func (r *runner) cppMember(Value, *program.Attr) (Value, error)                 { return nil, errCpp }
func (r *runner) cppBuiltin(string, string) (Value, bool)                       { return nil, false }
func (r *runner) element2(*Array, Value) (*cell, error)                         { return nil, errCpp }
func (r *runner) main() error                                                   { return nil }

// construct makes a value of a type.
func (r *runner) construct(t TypeValue, x *program.Call) (Value, error) {
	c, err := r.evaluated(x)
	if err != nil {
		return nil, err
	}
	return r.convertTo(t, c)
}

func (r *runner) convertTo(t TypeValue, c *arguments) (Value, error) { return r.py.call(t.Name, *c) }
