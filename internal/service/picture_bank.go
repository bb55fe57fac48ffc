package service

import (
	"fmt"

	"girih/banks"
	"girih/cute"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
)

// bankPictures are the pictures of accesses to shared memory.
func bankPictures() []Picture {
	return []Picture{
		{
			Kind: "bank", Doc: "The banks of shared memory that accesses to a layout want, phase by phase, with its " +
				"conflicts; several accesses are compared.",
			Example: "'(8,64):(64,1)' --bank ldmatrix.x4 --type f16", draw: drawBank,
		},
		{
			Kind: "bank_tile", Doc: "The tile with each element in the color of its bank, and what the worst phase of the " +
				"access accesses.",
			Example: "'(8,64):(64,1)' --as bank_tile --bank ldmatrix.x4 --type f16", draw: drawBankTile,
		},
	}
}

// bankCases returns the accesses of the request.
func (d *drawJob) bankCases() ([]view.BankCase, banks.Memory, error) {
	if len(d.req.Accesses) == 0 {
		d.usage = true
		return nil, nil, &cute.Error{
			Code: cute.CodeSyntax, Msg: "expected an access to shared memory, found none",
			Hint: "an instruction, such as ldmatrix.x4 or ld.128",
		}
	}
	j, fault, info := d.session.accessJob(BankRequest{
		Expr: d.req.Expr, Type: d.req.Type, Accesses: d.req.Accesses, Threads: d.req.Threads, Target: d.req.Target,
	})
	if info != nil {
		d.usage = fault.Usage
		return nil, nil, &cute.Error{Code: cute.Code(info.Code), Msg: info.Message, Hint: info.Hint}
	}
	d.notes = unique(append(d.notes, j.notes...))
	var cases []view.BankCase
	for i, text := range j.names {
		access, err := banks.ParseAccess(text, j.typ.Bits())
		if err != nil {
			d.usage = true
			return nil, nil, err
		}
		rule, err := j.target.Rule(access)
		if err != nil {
			d.usage = true
			return nil, nil, err
		}
		plan, err := banks.NewPlan(rule, j.memory, j.typ.Bits(), j.threads[i].Threads)
		if err != nil {
			return nil, nil, err
		}
		name := d.req.Title
		if len(j.names) > 1 || name == "" {
			name = fmt.Sprintf("%s of %s", text, j.memory)
		}
		cases = append(cases, view.BankCase{Name: name, Plan: plan})
	}
	return cases, j.memory, nil
}

func drawBank(d *drawJob) (*draw.Scene, error) {
	cases, _, err := d.bankCases()
	if err != nil {
		return nil, err
	}
	if len(cases) == 1 {
		return view.Bank(cases[0], d.opts)
	}
	return view.Banks(cases, d.opts)
}

func drawBankTile(d *drawJob) (*draw.Scene, error) {
	cases, memory, err := d.bankCases()
	if err != nil {
		return nil, err
	}
	if len(cases) > 1 {
		d.usage = true
		return nil, &cute.Error{
			Code: cute.CodeRank, Msg: fmt.Sprintf("expected one access, found %d", len(cases)),
			Hint: "the picture bank compares several",
		}
	}
	return view.BankTile(memory, cases[0], d.opts)
}
