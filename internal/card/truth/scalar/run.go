package scalar

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"

	"girih/ptx"
	"girih/ptx/sim"
)

// The chip whose instructions are tried, the chip with the newer instructions, and the version of PTX.
const (
	Chip  = "sm_90a"
	newer = "sm_100a"
)

var version = ptx.Version{Major: 9, Minor: 0}

func module(chip string, list ...*ptx.Func) *ptx.Module {
	m := &ptx.Module{Version: version, Target: []string{chip}, AddressSize: 64}
	for _, f := range list {
		m.Decls = append(m.Decls, f)
	}
	return m
}

// A Part has kernels of a shard that are compiled together, with the memory that they read and write.
type Part struct {
	Module  *ptx.Module
	Kernels []string // each kernel runs one warp, with the addresses of In and of the results as arguments
	In      []byte
	Out     int // the size of the results in bytes; they are zero before the launch
	first   int // the first slot of the results
}

// kernelsOfPart is the number of kernels compiled together.
const kernelsOfPart = 4

// Parts returns the kernels of a shard, without the steps of unsupported forms and the steps that depend on them.
func (s *Shard) Parts(supports func(*Form) bool) ([]Part, error) {
	var parts []Part
	for i := 0; i < len(s.kernels); i += kernelsOfPart {
		end := min(i+kernelsOfPart, len(s.kernels))
		p := Part{first: s.kernels[i].out}
		in, out := len(s.in)/Lanes, len(s.outs)
		if end < len(s.kernels) {
			in, out = s.kernels[end].in, s.kernels[end].out
		}
		for _, v := range s.in[s.kernels[i].in*Lanes : in*Lanes] {
			p.In = binary.LittleEndian.AppendUint64(p.In, v)
		}
		p.Out = (out - p.first) * slotSize
		var list []*ptx.Func
		for _, k := range s.kernels[i:end] {
			f, err := k.function(base{s.kernels[i].in, p.first}, supports)
			if err != nil {
				return nil, err
			}
			list = append(list, f)
			p.Kernels = append(p.Kernels, k.name)
		}
		p.Module = module(cmp.Or(s.chip, Chip), list...)
		parts = append(parts, p)
	}
	return parts, nil
}

// base is the first slots of a part.
type base struct{ in, out int }

// Alone returns a part with the given number of steps of this form alone, to test whether the form is supported.
func (f *Form) Alone(steps int) (Part, error) {
	g := &generator{random: 1, shard: &Shard{}, kernel: &kernel{name: "alone"}}
	list := []*Form{f}
	if f.flags.carry != 0 {
		list = Forms()
	}
	g.forms(list)
	for range steps {
		g.program([]*Form{f})
	}
	g.shard.kernels = []*kernel{g.kernel}
	parts, err := g.shard.Parts(func(*Form) bool { return true })
	if err != nil {
		return Part{}, err
	}
	return parts[0], nil
}

// CanSimulate reports whether the simulator has a form.
func CanSimulate(f *Form) bool {
	p, err := f.Alone(4)
	if err != nil {
		return false
	}
	_, err = p.Simulate(context.Background())
	return err == nil
}

// Split returns a part for each kernel, with the same memory.
func (p *Part) Split() []Part {
	var all []Part
	i := 0
	for f := range p.Module.Funcs() {
		all = append(all, Part{module(p.Module.Target[0], f), p.Kernels[i : i+1], p.In, p.Out, p.first})
		i++
	}
	return all
}

// Simulate runs a part in the simulator and returns the results.
func (p *Part) Simulate(ctx context.Context) ([]byte, error) {
	program, err := sim.Load(p.Module)
	if err != nil {
		return nil, err
	}
	memory, err := program.NewMemory()
	if err != nil {
		return nil, err
	}
	from, err := memory.Put("in", p.In)
	if err != nil {
		return nil, err
	}
	to, err := memory.Put("out", make([]byte, p.Out))
	if err != nil {
		return nil, err
	}
	for _, k := range p.Kernels {
		_, err := program.Run(ctx, memory, sim.Launch{
			Entry: k, Block: sim.Dim{X: Lanes}, Args: []sim.Arg{sim.Pointer(from, 0), sim.Pointer(to, 0)},
		})
		if err != nil {
			return nil, fmt.Errorf("kernel %s: %w", k, err)
		}
	}
	return to.Bytes(), nil
}

// Simulate runs the kernels of a shard in the simulator and returns all results.
func (s *Shard) Simulate(ctx context.Context, supports func(*Form) bool) ([]uint64, error) {
	parts, err := s.Parts(supports)
	if err != nil {
		return nil, err
	}
	all := make([]uint64, 0, len(s.outs)*Lanes)
	for i := range parts {
		b, err := parts[i].Simulate(ctx)
		if err != nil {
			return nil, fmt.Errorf("shard %d: %w", s.Number, err)
		}
		all = append(all, Words(b)...)
	}
	return all, nil
}

// Words returns the words that kernels wrote, lane by lane.
func Words(b []byte) []uint64 {
	v := make([]uint64, len(b)/8)
	for i := range v {
		v[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return v
}

// Bytes returns words in the byte order of memory.
func Bytes(v []uint64) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}
