package service

import (
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
)

// descriptorPictures are the pictures of what wgmma and tcgen05 read of shared memory.
func descriptorPictures() []Picture {
	return []Picture{{
		Kind: "descriptor", Doc: "How wgmma or tcgen05 reads a shared layout: its core matrices, and where LBO and SBO lead; of one that " +
			"it cannot read, what is out of place.",
		Example: "'Sw<3,3,3> o 0 o ((8,8),(64,1)):((64,512),(1,0))' --descriptor wgmma --type f16", draw: drawDescriptor,
	}}
}

func drawDescriptor(d *drawJob) (*draw.Scene, error) {
	o, err := DescriptorRequest{Type: d.req.Type, Instr: d.req.Instr, Operand: d.req.Operand}.operandOf()
	if err != nil {
		d.usage = true
		return nil, err
	}
	switch v := d.value.(type) {
	case eval.Layout:
		return view.Descriptor(o, v.Layout, d.opts)
	case eval.Composed:
		return view.Descriptor(o, v.Composed, d.opts)
	}
	return nil, &cute.Error{Code: cute.CodeType, Op: "draw", Msg: "expected a layout of shared memory"}
}
