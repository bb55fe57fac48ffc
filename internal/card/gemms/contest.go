package gemms

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"girih/cute"
	"girih/dtype"
	"girih/gpu"
	"girih/internal/machine/gemm"
	plans "girih/kernel/gemm"
)

// This file runs planned kernels of one problem on a card, on the same operands, and compares a sample of D with
// float64. An element of an operand is a function of its place, so operands need no memory of the host.

// A contest has the operands of a problem on a card.
type contest struct {
	d       *gpu.Device
	problem plans.Problem // with layouts and types
	args    gpu.Args
	buffers []*gpu.Buffer[uint8]
	out     *gpu.Buffer[uint8]
	sample  []sampled
}

// A finisher is an epilogue in float64, of a sum at a row and a column of D; nil for none.
type finisher func(sum float64, row, column int64) float64

// A sampled is an element of D that is compared.
type sampled struct {
	at          int64 // in elements of D
	want, bound float64
}

// A contestant is a kernel of a contest.
type contestant struct {
	plan  *plans.Plan
	g     *gpu.Gemm
	wrong int // elements of the sample
	err   error
}

// A series is the numbers of one operand: of a normal distribution, by their places.
type series struct {
	seed  uint64
	typ   dtype.Type
	codes []uint64
	value []float64
}

func newSeries(t dtype.Type, seed uint64) (s series, err error) {
	s = series{seed: seed, typ: t}
	random := rand.New(rand.NewPCG(seed, 13))
	for range 1 << 12 {
		code, err := t.Encode(clamp(random.NormFloat64()))
		if err != nil {
			return s, err
		}
		x, err := t.Decode(code)
		if err != nil {
			return s, err
		}
		s.codes, s.value = append(s.codes, code), append(s.value, x)
	}
	return s, nil
}

// index returns the number of the element at a place in the table, by the mixing function of SplitMix64.
func (s *series) index(at int64) uint64 {
	x := (uint64(at) + s.seed<<40) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x >> 52
}

func (s *series) at(i int64) float64 { return s.value[s.index(i)] }

// fill writes n elements to a buffer, part by part.
func (s *series) fill(ctx context.Context, to *gpu.Buffer[uint8], n int64) error {
	const part = 1 << 22
	bytes := int64(s.typ.Bits() / 8)
	host := make([]uint8, min(n, part)*bytes)
	for from := int64(0); from < n; from += part {
		count := min(part, n-from)
		_ = gemm.Parts(count, 1<<16, func(a, b int64) error {
			for i := a; i < b; i++ {
				code := s.codes[s.index(from+i)]
				for j := range bytes {
					host[i*bytes+j] = uint8(code >> (8 * j))
				}
			}
			return nil
		})
		x, err := to.Part(int(from*bytes), int(count*bytes))
		if err != nil {
			return err
		}
		if err := x.Write(ctx, host[:count*bytes]); err != nil {
			return err
		}
	}
	return nil
}

// newContest draws the operands of a problem, and computes the sample.
func newContest(ctx context.Context, d *gpu.Device, p plans.Problem, finish finisher) (*contest, error) {
	x := &contest{d: d, problem: p, args: gpu.Args{}}
	a, err := newSeries(p.In, 1)
	if err != nil {
		return nil, err
	}
	b, err := newSeries(p.In, 2)
	if err != nil {
		return nil, err
	}
	x.choose(&a, &b, finish)
	err = cmp.Or(x.operand(ctx, "A", &a, p.A), x.operand(ctx, "B", &b, p.B), x.operand(ctx, "D", &series{typ: p.Out}, p.D))
	if err != nil {
		x.close()
		return nil, err
	}
	x.out = x.buffers[2]
	return x, nil
}

// operand allocates a matrix or a vector, and fills it unless the series has only a type.
func (x *contest) operand(ctx context.Context, name string, s *series, l cute.Layout) error {
	n, err := l.Cosize()
	if err != nil {
		return err
	}
	b, err := gpu.Alloc[uint8](x.d, int(n)*s.typ.Bits()/8)
	if err != nil {
		return err
	}
	x.buffers, x.args[name] = append(x.buffers, b), b
	if len(s.codes) == 0 {
		return nil
	}
	return s.fill(ctx, b, n)
}

// choose draws the sample: corners and random elements, with the error that the adders of wgmma and a rounding allow.
func (x *contest) choose(a, b *series, finish finisher) {
	p, cut := &x.problem, 0x1p-17
	if p.Fast {
		cut = 0x1p-11 // each of the K/32 additions cuts a sum off after 14 bits
	}
	random := rand.New(rand.NewPCG(3, 7))
	place := func(l cute.Layout, i, j int64) int64 {
		d := l.Stride().Leaves()
		return i*d[0] + j*d[1]
	}
	for n := range int64(40) {
		i, j := random.Int64N(p.M), random.Int64N(p.N)
		if n < 4 {
			i, j = n&1*(p.M-1), n>>1*(p.N-1)
		}
		sum, size := 0.0, 0.0
		for q := range p.K {
			y := a.at(place(p.A, i, q)) * b.at(place(p.B, j, q))
			sum, size = sum+y, size+math.Abs(y)
		}
		want := sum
		if finish != nil {
			want = finish(sum, i, j)
		}
		x.sample = append(x.sample, sampled{place(p.D, i, j), want, cut*size + 0x1p-8*math.Abs(want) + 0x1p-10})
	}
}

// enter loads a kernel, runs it once on a poisoned D, and compares the sample.
func (x *contest) enter(ctx context.Context, c *contestant) {
	if c.err != nil {
		return
	}
	if c.err = x.out.Fill(0xff); c.err == nil { // NaN in all types
		c.err = c.g.Launch(x.args)
	}
	if c.err == nil {
		c.err = x.d.Wait(ctx)
	}
	bytes := x.problem.Out.Bits() / 8
	one := make([]uint8, bytes)
	for _, s := range x.sample {
		if c.err != nil {
			return
		}
		var at *gpu.Buffer[uint8]
		if at, c.err = x.out.Part(int(s.at)*bytes, bytes); c.err == nil {
			c.err = at.Read(ctx, one)
		}
		code := uint64(0)
		for j, b := range one {
			code |= uint64(b) << (8 * j)
		}
		if got, err := x.problem.Out.Decode(code); err != nil || !(math.Abs(got-s.want) <= s.bound) { // also NaN
			c.wrong++
		}
	}
}

// time measures kernels in turn, and returns the times of each.
func (x *contest) time(ctx context.Context, o gpu.TimeOptions, all []*contestant) ([]gpu.Times, error) {
	var cases []gpu.Case
	for _, c := range all {
		cases = append(cases, gpu.Case{Name: choiceText(c.plan.Choice()), Run: func() error { return c.g.Launch(x.args) }})
	}
	r, err := x.d.Time(ctx, o, cases...)
	if err != nil {
		return nil, err
	}
	return r.Cases, nil
}

func (x *contest) close() {
	for _, b := range x.buffers {
		_ = b.Close() // fails only if work was abandoned
	}
}

func (c *contestant) close() error {
	if c.g == nil {
		return nil
	}
	return c.g.Close()
}

// choiceText names a configuration.
func choiceText(c plans.Choice) string {
	s := sizeText(c.Tile)
	if c.PingPong {
		s += " ping-pong"
	} else if c.Warpgroups == 1 {
		s += " one warpgroup"
	}
	s += fmt.Sprintf(", %d stages", c.Stages)
	if c.Cluster > 1 {
		s += fmt.Sprintf(", clusters of %d", c.Cluster)
	}
	if c.Split > 1 {
		s += fmt.Sprintf(", K by %d", c.Split)
	}
	if c.Group > 1 {
		s += fmt.Sprintf(", groups of %d", c.Group)
	}
	if c.Exchanged {
		s += ", exchanged"
	}
	return s
}

// errNoCard refuses what needs a card.
var errNoCard = errors.New("times are measured on a card: there is none")
