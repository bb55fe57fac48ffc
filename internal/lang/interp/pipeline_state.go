package interp

import (
	"girih/cute"
	"girih/internal/lang/program"
)

// This file has cutlass::PipelineState<STAGES>: the number of a stage, and a phase that changes when the stages begin
// again.

// stateFields are the fields of a PipelineState. The number of stages is a part of the type in C++.
var stateFields = []string{"index_", "phase_", "count_", "Stages"}

// pipelineState returns a PipelineState of a number of stages, from nothing, from another one, or from its fields.
func (r *runner) pipelineState(stages int64, list []Value) (Value, error) {
	if len(list) == 1 {
		if o, ok := list[0].(*Object); ok && isPipelineState(o) {
			return copyOf(o), nil
		}
	}
	if len(list) != 0 && len(list) != 3 || stages < 1 {
		return nil, errorf(cute.CodeRank, "expected PipelineState<STAGES>(), or with an index, a phase and a count, found %d values",
			len(list))
	}
	o := &Object{names: stateFields, fields: make(map[string]*cell)}
	for i, t := range []CType{CIntType, CUInt, CUInt} {
		c := &cell{v: cInt(0, t), typ: t}
		if len(list) > 0 {
			v, err := r.fit(list[i], TypeValue{Name: cppTypeName(t), C: t})
			if err != nil {
				return nil, err
			}
			c.v = v
		}
		o.fields[stateFields[i]] = c
	}
	o.fields["Stages"] = &cell{v: cInt(uint64(stages), CUInt), typ: CUInt, fixed: true}
	return o, nil
}

// makeFrom evaluates T{LIST}.
func (r *runner) makeFrom(t TypeValue, list []Value) (Value, error) {
	if t.Name == "PipelineState" && t.Struct == nil {
		return r.pipelineState(t.Size, list)
	}
	if len(list) == 0 {
		if v := r.zero(t); v != nil {
			return v, nil
		}
	}
	return r.fit(Tuple(list), t)
}

func isPipelineState(o *Object) bool {
	return o.Type == nil && len(o.names) == 4 && o.names[3] == "Stages"
}

// stateMethod calls a method of a PipelineState.
func (r *runner) stateMethod(o *Object, name string, x *program.Call) (Value, error) {
	c, err := r.evaluateArguments(x)
	if err != nil {
		return nil, err
	}
	switch name {
	case "index", "phase", "count":
		return o.fields[name+"_"].v, nil
	case "advance":
		n, err := c.number(r, 0)
		if err != nil {
			return nil, err
		}
		return o, r.advance(o, n)
	}
	e := errorf(cute.CodeName, "a PipelineState has no function %s", name)
	e.hint = "it has index, phase, count, advance and ++"
	return nil, e
}

// advance moves a PipelineState by n stages.
func (r *runner) advance(o *Object, n int64) error {
	var at [4]int64
	for i, name := range stateFields {
		var ok bool
		if at[i], ok = integerOf(o.fields[name].v); !ok {
			e := errorf(cute.CodeNotRepresentable, "a PipelineState that differs from thread to thread is not followed here")
			e.hint = "use it in the condition in which it is advanced, or advance it in all threads"
			return e
		}
	}
	if n < 0 || n > 1<<20 {
		return errorf(cute.CodeExtent, "expected from 0 to %d stages, found %d", 1<<20, n)
	}
	next := at[0] + n
	at[0], at[1], at[2] = next%at[3], at[1]^(next/at[3]&1), at[2]+n
	for i, t := range []CType{CIntType, CUInt, CUInt} {
		o.fields[stateFields[i]].v = cInt(uint64(at[i]), t)
	}
	return nil
}
