package copies

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"girih/cute"
	"girih/gpu"
	"girih/kernel/copy"
)

// A copyOutcome is the result of a plan.
type copyOutcome struct {
	Name      string          `json:"name,omitempty"`
	Plan      *copy.Plan      `json:"plan"`
	Predicted copy.Prediction `json:"predicted"`
	Card      string          `json:"card,omitempty"`
	Seconds   float64         `json:"seconds,omitempty"`        // the median time
	Device    float64         `json:"device_seconds,omitempty"` // the time of a device copy of the same size
	Registers int             `json:"registers,omitempty"`
	Wrong     string          `json:"wrong,omitempty"`
	Peers     []copyPeer      `json:"peers,omitempty"`
	Measured  *copyCounters   `json:"measured,omitempty"`
	Open      *copyOpen       `json:"run_time,omitempty"`
}

// A copyPeer is the time that another library took.
type copyPeer struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds,omitempty"`
	Error   string  `json:"error,omitempty"`
}

// share returns how fast a copy was, as a share of the device copy.
func (o *copyOutcome) share(seconds float64) float64 {
	if seconds == 0 {
		return 0
	}
	return o.Device / seconds
}

func (o *copyOutcome) print(w io.Writer) {
	fmt.Fprintf(w, "%v%v", o.Plan, o.Predicted)
	if o.Seconds == 0 {
		return
	}
	if m := o.Measured; m != nil && m.Error != "" {
		fmt.Fprintf(w, "  measured: no counter: %s\n", m.Error)
	} else if m != nil {
		fmt.Fprintf(w, "  measured: %d sectors read, %d written\n", o.Measured.Read, o.Measured.Written)
	}
	bytes := 2 * float64(o.Plan.Describe().Total)
	fmt.Fprintf(w, "  %s: %.4f ms, %.0f GB/s, %.3f of a device copy; %d registers\n", o.Card, o.Seconds*1e3,
		bytes/o.Seconds/1e9, o.share(o.Seconds), o.Registers)
	if x := o.Open; x != nil {
		fmt.Fprintf(w, "  for run-time extents: %.4f ms, %.3f; %d registers\n", x.Seconds*1e3, o.share(x.Seconds), x.Registers)
	}
	for _, p := range o.Peers {
		if p.Error != "" {
			fmt.Fprintf(w, "  %s: %s\n", p.Name, p.Error)
			continue
		}
		fmt.Fprintf(w, "  %s: %.4f ms, %.3f\n", p.Name, p.Seconds*1e3, o.share(p.Seconds))
	}
	if o.Wrong != "" {
		fmt.Fprintf(w, "  WRONG: %s\n", o.Wrong)
	} else {
		fmt.Fprintln(w, "  right")
	}
}

// copyGuard is the number of bytes before and after the destination that must not change.
const copyGuard = 4096

// A copyBench runs copies on a card. Its buffers grow and are used again.
type copyBench struct {
	d        *gpu.Device
	rounds   int
	open     bool // whether kernels for run-time extents are also timed
	src, dst *gpu.Buffer[uint64]
	peers    *copyPeers
}

func (b *copyBench) close() {
	for _, x := range []*gpu.Buffer[uint64]{b.src, b.dst} {
		if x != nil {
			_ = x.Close()
		}
	}
}

// word is the content of the source. Multiplying by an odd number makes all words different, so that an element from a
// wrong offset is noticed.
func word(i uint64) uint64 { return (i + 1) * 0x9e3779b97f4a7c15 }

// sourceByte returns byte i of the source.
func sourceByte(i int64) byte { return byte(word(uint64(i/8)) >> (i % 8 * 8)) }

// grow makes the buffers at least that large, and fills the source.
func (b *copyBench) grow(ctx context.Context, src, dst int64) error {
	grow := func(x **gpu.Buffer[uint64], bytes int64) (bool, error) {
		n := int(bytes/8) + 1
		if *x != nil && (*x).Len() >= n {
			return false, nil
		}
		if *x != nil {
			if err := (*x).Close(); err != nil {
				return false, err
			}
		}
		var err error
		*x, err = gpu.Alloc[uint64](b.d, n)
		return true, err
	}
	grown, err := grow(&b.src, src)
	if err != nil {
		return err
	}
	if grown {
		data := make([]uint64, b.src.Len())
		for i := range data {
			data[i] = word(uint64(i))
		}
		if err := b.src.Write(ctx, data); err != nil {
			return err
		}
	}
	_, err = grow(&b.dst, dst)
	return err
}

// span returns the lowest and the highest offset that a layout reaches, in bytes.
func span(l cute.Inner, bytes int64) (lo, hi int64) {
	c, ok := l.(cute.Composed)
	if !ok {
		if x, isLayout := l.(cute.Layout); isLayout {
			c = x.Composed()
		}
	}
	in := c.Layout()
	shape, stride := in.Shape().Leaves(), in.Stride().Leaves()
	for i, n := range shape {
		if d := (n - 1) * stride[i]; d < 0 {
			lo += d
		} else {
			hi += d
		}
	}
	if n, err := c.Cosize(); err == nil && n > hi {
		hi = n
	}
	return lo * bytes, (hi + 1) * bytes
}

// one runs a plan, checks its output and times it.
func (b *copyBench) one(ctx context.Context, o *copyOutcome, src, dst cute.Inner) error {
	bytes := o.Plan.Describe().Bytes
	slo, shi := span(src, bytes)
	dlo, dhi := span(dst, bytes)
	up := func(n int64) int64 { return (n + 255) / 256 * 256 }
	from, to := up(-slo), up(copyGuard-dlo)
	total := o.Plan.Describe().Total
	if err := b.grow(ctx, max(from+shi, total), max(to+dhi+copyGuard, total)); err != nil {
		return err
	}
	c := copyCheck{src: src, dst: dst, bytes: bytes, from: from, to: to, end: to + dhi + copyGuard}
	x, err := b.try(ctx, o.Plan, &c)
	if err != nil {
		return err
	}
	defer x.t.Close()
	o.Registers, o.Card, o.Wrong = x.t.Resources().Registers, b.d.Info().Name, x.wrong
	if o.Open == nil {
		return b.time(ctx, o, x.run)
	}
	y, err := b.try(ctx, o.Open.Plan, &c)
	if err != nil {
		return err
	}
	defer y.t.Close()
	o.Open.Registers = y.t.Resources().Registers
	if y.wrong != "" {
		o.Wrong = "for run-time extents: " + y.wrong
	}
	return b.time(ctx, o, x.run, y.run)
}

// An attempt is a kernel that was run and checked.
type attempt struct {
	t     *gpu.Traced
	run   func() error
	wrong string
}

// try runs a plan once and checks its output.
func (b *copyBench) try(ctx context.Context, p *copy.Plan, c *copyCheck) (*attempt, error) {
	k, err := p.Kernel()
	if err != nil {
		return nil, err
	}
	t, err := b.d.LoadKernel(k)
	if err != nil {
		return nil, err
	}
	args := gpu.CopyArgs(p, b.src.Addr()+uint64(c.from), b.dst.Addr()+uint64(c.to))
	x := &attempt{t: t, run: func() error { return t.Launch(args) }}
	if err = b.dst.Fill(copyPoison); err == nil {
		err = x.run()
	}
	if err == nil {
		err = b.d.Wait(ctx)
	}
	if err == nil {
		x.wrong, err = c.look(ctx, b.dst)
	}
	if err != nil {
		_ = t.Close() // the first error is more informative
		return nil, err
	}
	return x, nil
}

// time measures the kernel, a device copy, the peers and the kernel for run-time extents, in rounds.
func (b *copyBench) time(ctx context.Context, o *copyOutcome, runs ...func() error) error {
	total := o.Plan.Describe().Total
	half, err := newHalves(b.d, b.src, b.dst, total)
	if err != nil {
		return err
	}
	cases := []gpu.Case{{Name: "copy", Run: runs[0]}, {Name: "device copy", Run: half}}
	for _, run := range runs[1:] {
		cases = append(cases, gpu.Case{Name: "run-time extents", Run: run})
	}
	if b.peers != nil {
		cases = append(cases, gpu.Case{Name: "peers", Run: b.peers.round})
	}
	r, err := b.d.Time(ctx, gpu.TimeOptions{Rounds: b.rounds, Cold: true}, cases...)
	if err != nil {
		return err
	}
	o.Seconds, o.Device = r.Cases[0].Median().Seconds(), r.Cases[1].Median().Seconds()
	if o.Open != nil {
		o.Open.Seconds = r.Cases[2].Median().Seconds()
	}
	if b.peers != nil {
		o.Peers = b.peers.medians(b.rounds)
	}
	return nil
}

// copyPoison fills the destination before a copy.
const copyPoison = 0xa5a5a5a5a5a5a5a5

// A copyCheck compares a destination with the definition.
type copyCheck struct {
	src, dst      cute.Inner
	bytes         int64
	from, to, end int64 // positions in the buffers of the offsets 0 and of the end of the guard, in bytes
}

// checked limits the number of checked elements.
const checked = 1 << 21

// look returns what is wrong, or "".
func (c *copyCheck) look(ctx context.Context, dst *gpu.Buffer[uint64]) (string, error) {
	words := make([]uint64, min(int(c.end/8)+1, dst.Len()))
	part, err := dst.Part(0, len(words))
	if err != nil {
		return "", err
	}
	if err := part.Read(ctx, words); err != nil {
		return "", err
	}
	at := func(i int64) byte { return byte(words[i/8] >> (i % 8 * 8)) }
	a, b := valuesOf(c.src), valuesOf(c.dst)
	n := sizeOf(c.dst)
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	for j := range min(n, checked) {
		i := j
		if n > checked && j >= 1<<16 {
			if i = rng.Int64N(n); j < 1<<17 {
				i = n - 1 - (j - 1<<16)
			}
		}
		x, y := a(i)*c.bytes+c.from, b(i)*c.bytes+c.to
		for l := range c.bytes {
			if got, want := at(y+l), sourceByte(x+l); got != want {
				return fmt.Sprintf("element %d, byte %d at offset %d: %#x, should be %#x", i, l, b(i), got, want), nil
			}
		}
	}
	least := c.to + b(0)*c.bytes
	if lo, _ := span(c.dst, c.bytes); lo < 0 {
		least = c.to + lo
	}
	for i := int64(0); i < least; i++ {
		if at(i) != 0xa5 {
			return fmt.Sprintf("byte %d before the destination was written", least-i), nil
		}
	}
	for i := c.end - copyGuard + c.bytes; i < c.end; i++ {
		if at(i) != 0xa5 {
			return fmt.Sprintf("byte %d after the destination was written", i-c.end+copyGuard), nil
		}
	}
	return "", nil
}

func sizeOf(l cute.Inner) int64 {
	switch l := l.(type) {
	case cute.Layout:
		return l.Size()
	case cute.Composed:
		return l.Size()
	}
	return 0
}

// valuesOf returns the function from indices to offsets.
func valuesOf(l cute.Inner) func(int64) int64 {
	c, ok := l.(cute.Composed)
	if !ok {
		c = l.(cute.Layout).Composed()
	}
	in := c.Layout()
	shape, stride := in.Shape().Leaves(), in.Stride().Leaves()
	type stage struct {
		w cute.Swizzle
		o int64
	}
	var stages []stage
	for f, o := range c.Stages() {
		w, _ := f.(cute.Swizzle)
		x, _ := o.Int64()
		stages = append(stages, stage{w, x})
	}
	return func(i int64) int64 {
		x := int64(0)
		for m, n := range shape {
			x += i % n * stride[m]
			i /= n
		}
		for j := len(stages) - 1; j >= 0; j-- {
			x, _ = stages[j].w.At(x + stages[j].o)
		}
		return x
	}
}

// newHalves returns a device copy of the given number of bytes from one buffer to the other.
func newHalves(d *gpu.Device, src, dst *gpu.Buffer[uint64], bytes int64) (func() error, error) {
	n := int(max(bytes/8, 1))
	a, err := src.Part(0, n)
	if err != nil {
		return nil, err
	}
	b, err := dst.Part(0, n)
	if err != nil {
		return nil, err
	}
	return func() error { return b.Copy(a) }, nil
}
