package gpu

import (
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"girih/cute"
	"girih/dtype"
	"girih/internal/card/cuda"
	"girih/kernel"
)

// fakeDevice returns a device without a card: nothing on it may call the driver.
func fakeDevice(index int, name string) *Device {
	d := &Device{info: Info{Index: index, Name: name}, live: map[*resource]bool{}, open: map[*Stream]bool{}}
	d.main = &Stream{r: d.own(nil)}
	return d
}

// dlStruct is a structure of dlpack.h as bytes, at the offsets that a C compiler gives the fields of a machine of 64
// bits. TestDLPackOfC of internal/card/cuda compares them with a compiler.
type dlStruct struct {
	mem            []uint64 // DLManagedTensorVersioned, or its last 48 bytes and what follows in DLManagedTensor
	tensor         int      // the offset of the tensor in bytes
	shape, strides []int64
}

func newDLStruct(hasVersion bool) *dlStruct {
	s := &dlStruct{mem: make([]uint64, 10)}
	if hasVersion {
		s.tensor = 32
		s.put(0, 4, 1)
		s.put(4, 4, 1)
	}
	s.put(s.tensor+8, 4, 2)   // kDLCUDA
	s.put(s.tensor+20, 1, 2)  // kDLFloat
	s.put(s.tensor+21, 1, 32) // bits
	s.put(s.tensor+22, 2, 1)  // lanes
	return s
}

func (s *dlStruct) put(at, size int, v uint64) {
	b := unsafe.Slice((*byte)(unsafe.Pointer(&s.mem[0])), 8*len(s.mem))
	copy(b[at:at+size], binary.LittleEndian.AppendUint64(nil, v))
}

func (s *dlStruct) extents(shape, strides []int64) {
	s.shape, s.strides = slices.Clone(shape), slices.Clone(strides)
	s.put(s.tensor+16, 4, uint64(len(shape)))
	s.put(s.tensor+24, 8, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(s.shape)))))
	s.put(s.tensor+32, 8, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(s.strides)))))
}

func (s *dlStruct) read(hasVersion bool, d *Device) (*DLTensor, error) {
	return tensorOfDLPack(readers[hasVersion](uintptr(unsafe.Pointer(&s.mem[0]))), d)
}

var readers = map[bool]func(uintptr) cuda.DLManaged{false: cuda.ReadManaged, true: cuda.ReadVersioned}

// TestDLPackLayouts compares random tensors with their elements one by one: the address of each, and the range of all.
func TestDLPackLayouts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	d := fakeDevice(0, "A")
	types := []struct {
		typ        dtype.Type
		code, bits uint64
	}{
		{dtype.F32, 2, 32},
		{dtype.BF16, 4, 16},
		{dtype.E4M3, 10, 8},
		{dtype.S64, 0, 64},
		{dtype.E2M1, 17, 4},
		{dtype.E3M2, 16, 6},
		{dtype.B8, 6, 8},
	}
	for range 3000 {
		shape, strides := make([]int64, r.IntN(5)), []int64(nil)
		for i := range shape {
			shape[i] = 1 + r.Int64N(4)
		}
		if r.IntN(3) > 0 {
			for range shape {
				strides = append(strides, r.Int64N(41)-10)
			}
		}
		x := types[r.IntN(len(types))]
		hasVersion := r.IntN(2) == 0
		const base, offset = 1 << 20, 192
		s := newDLStruct(hasVersion)
		s.put(s.tensor, 8, base)
		s.put(s.tensor+20, 1, x.code)
		s.put(s.tensor+21, 1, x.bits)
		s.put(s.tensor+40, 8, offset)
		s.extents(shape, strides)
		got, err := s.read(hasVersion, d)
		if err != nil {
			t.Fatalf("%d:%d: %v", shape, strides, err)
		}
		if got.Addr() != base+offset || got.Type != x.typ || got.ReadOnly {
			t.Fatalf("got %+v", got)
		}
		if strides == nil && len(shape) > 0 { // row-major
			strides = make([]int64, len(shape))
			for i, n := len(shape)-1, int64(1); i >= 0; i-- {
				strides[i] = n
				n *= shape[i]
			}
		}
		first, last := int64(math.MaxInt64), int64(math.MinInt64) // bits
		for c := range coordinates(shape) {
			want := int64(0)
			for i := range c {
				want += c[i] * strides[i]
			}
			at, err := got.Layout.Eval(cute.Ints(c...))
			if err != nil || at.Leaves()[0] != want {
				t.Fatalf("%s at %d: got %v, %v, want %d", got.Layout, c, at, err, want)
			}
			first, last = min(first, want*int64(x.bits)), max(last, (want+1)*int64(x.bits))
		}
		low, high := floor8(first), -floor8(-last)
		if int64(got.low) != base+offset+low || got.size != high-low {
			t.Fatalf("%s of %s: got %d bytes at %d, want %d at %d",
				got.Layout, x.typ, got.size, got.low, high-low, base+offset+low)
		}
	}
}

// floor8 returns the byte that has a bit.
func floor8(bit int64) int64 { return int64(math.Floor(float64(bit) / 8)) }

// coordinates yields the coordinates of a shape.
func coordinates(shape []int64) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		c := make([]int64, len(shape))
		for yield(c) {
			i := 0
			for ; i < len(c); i++ {
				if c[i]++; c[i] < shape[i] {
					break
				}
				c[i] = 0
			}
			if i == len(c) {
				return
			}
		}
	}
}

// TestDLPackRefused checks that what cannot be said is refused, with numbers, and leaves the tensor to its owner.
func TestDLPackRefused(t *testing.T) {
	t.Parallel()
	d := fakeDevice(1, "A")
	for _, tt := range []struct {
		name    string
		change  func(s *dlStruct)
		version bool
		want    string
	}{
		{"version", func(s *dlStruct) { s.put(0, 4, 2); s.put(4, 4, 7) }, true, "DLPack 2.7: the version 1"},
		{"CPU", func(s *dlStruct) { s.put(s.tensor+8, 4, 1) }, false, "device of the type 1, and 2"},
		{"another card", func(s *dlStruct) { s.put(s.tensor+12, 4, 3) }, false, "on device 3, not on device 1 (A)"},
		{"dimensions", func(s *dlStruct) { s.put(s.tensor+16, 4, 65) }, false, "65 dimensions: 0 to 64"},
		{"negative dimensions", func(s *dlStruct) { s.put(s.tensor+16, 4, 1<<32-1) }, true, "-1 dimensions: 0 to 64"},
		{"lanes", func(s *dlStruct) { s.put(s.tensor+22, 2, 4) }, false, "4 lanes"},
		{"no lanes", func(s *dlStruct) { s.put(s.tensor+22, 2, 0) }, false, "0 lanes"},
		{"complex", func(s *dlStruct) { s.put(s.tensor+20, 1, 5); s.put(s.tensor+21, 1, 64) }, false, "code 5 with 64 bits"},
		{"unknown code", func(s *dlStruct) { s.put(s.tensor+20, 1, 200) }, false, "code 200 with 32 bits"},
		{"unknown bits", func(s *dlStruct) { s.put(s.tensor+21, 1, 80) }, false, "code 2 with 80 bits"},
		{"padded", func(s *dlStruct) {
			s.put(24, 8, 4)
			s.put(s.tensor+20, 1, 17)
			s.put(s.tensor+21, 1, 4)
		}, true, "element of 4 bits is padded"},
		{"no shape", func(s *dlStruct) { s.put(s.tensor+24, 8, 0) }, false, "2 dimensions and no shape"},
		{"empty", func(s *dlStruct) { s.extents([]int64{2, 0}, nil) }, false, "dimension 1 has 0 elements"},
		{"negative extent", func(s *dlStruct) { s.extents([]int64{-2, 1}, nil) }, false, "dimension 0 has -2 elements"},
		{"many elements", func(s *dlStruct) { s.extents([]int64{1 << 40, 1 << 40}, nil) }, false, "overflow"},
		{"large strides", func(s *dlStruct) { s.extents([]int64{3}, []int64{1 << 62}) }, false, "leave the range of 64-bit integers"},
		{"large offsets", func(s *dlStruct) { s.extents([]int64{2}, []int64{1 << 59}) }, false, "exceed 64 bits"},
		{"large offset", func(s *dlStruct) { s.put(s.tensor, 8, 1<<63); s.put(s.tensor+40, 8, 1<<63) }, false, "exceed 64 bits"},
		{"below zero", func(s *dlStruct) { s.extents([]int64{2}, []int64{-1 << 30}) }, false, "exceed 64 bits"},
		{"end of memory", func(s *dlStruct) { s.put(s.tensor, 8, 1<<64-8) }, false, "exceed 64 bits"},
		{"misaligned", func(s *dlStruct) { s.put(s.tensor+40, 8, 6) }, false, "0x100006 is not a multiple of 4"},
	} {
		s := newDLStruct(tt.version)
		s.put(s.tensor, 8, 1<<20)
		s.put(s.tensor+12, 4, 1)
		s.extents([]int64{2, 3}, []int64{1, 2})
		tt.change(s)
		_, err := s.read(tt.version, d)
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != Argument || !strings.Contains(e.Message, tt.want) {
			t.Errorf("%s: got %v, want an error with %q", tt.name, err, tt.want)
		}
	}
	for _, at := range []uint64{0, 12} {
		if _, err := d.FromDLPack(at); !errors.Is(err, Argument) {
			t.Errorf("address %d: got %v", at, err)
		}
	}
}

// TestToDLPack makes tensors of a buffer, reads them again, and checks that the buffer is kept until the deleters are
// called.
func TestToDLPack(t *testing.T) {
	t.Parallel()
	d := fakeDevice(0, "A")
	freed := 0
	b := &Buffer[uint16]{r: d.own(func() *cuda.Failure { freed++; return nil }), addr: 1 << 20, n: 24}
	var made []cuda.DLManaged
	for i, l := range []string{"():()", "24:1", "(4,6):(6,1)", "((2,2),6):((1,12),2)", "(3,2):(0,23)"} {
		layout := cute.MustParse(l)
		export := b.ToDLPack
		if i%2 == 1 {
			export = b.ToDLPackVersioned
		}
		at, err := export(dtype.BF16, layout)
		if err != nil && strings.Contains(err.Error(), "cannot call Go") {
			t.Skip(err)
		}
		if err != nil {
			t.Fatalf("%s: %v", l, err)
		}
		m := readers[i%2 == 1](uintptr(at))
		got, err := tensorOfDLPack(m, d)
		if err != nil || !got.Layout.Equal(flat(layout)) || got.Type != dtype.BF16 || got.Addr() != b.Addr() {
			t.Errorf("%s: got %+v, %v", l, got, err)
		}
		part, err := DLBuffer[uint16](got)
		if err != nil || part.Len() > b.Len() || part.Addr() != b.Addr() {
			t.Errorf("%s: got %+v, %v", l, part, err)
		}
		if _, err := DLBuffer[float32](got); !errors.Is(err, Argument) {
			t.Errorf("got %v", err)
		}
		made = append(made, m)
	}
	for i, m := range made {
		if err := b.Close(); err == nil || freed != 0 || !errors.Is(d.Close(), Argument) {
			t.Errorf("closed with %d tensors in use: %v", len(made)-i, err)
		}
		m.Release()
	}
	for _, refused := range []struct {
		t    dtype.Type
		l    string
		want string
	}{
		{dtype.F32, "8:1", "f32 have 32 bits, and uint16 has 16"},
		{dtype.E2M1, "8:1", "e2m1 have 4 bits, and uint16 has 16"},
		{dtype.B16, "8:1", "no type for elements of b16"},
		{dtype.F16, "25:1", "bytes 0 to 49, and the buffer has the bytes 0 to 47"},
		{dtype.F16, "2:-1", "bytes -2 to 1"},
		{dtype.F16, "2:1@0", "are coordinates"},
		{dtype.F16, "2:1152921504606846976", "exceed 64 bits"},
	} {
		_, err := b.ToDLPack(refused.t, cute.MustParse(refused.l))
		if err == nil || !strings.Contains(err.Error(), refused.want) {
			t.Errorf("%s %s: got %v, want %q", refused.t, refused.l, err, refused.want)
		}
	}
	if err := b.Close(); err != nil || freed != 1 {
		t.Errorf("got %v, freed %d times", err, freed)
	}
	if _, err := b.ToDLPack(dtype.F16, cute.MustParse("8:1")); !errors.Is(err, Argument) {
		t.Errorf("got %v", err)
	}
}

// flat returns l without nesting, with a mode for each leaf.
func flat(l cute.Layout) cute.Layout {
	var shape, stride []int64
	for i := range l.Shape().LeafCount() {
		n, d := l.Leaf(i)
		shape, stride = append(shape, n), append(stride, d)
	}
	f, err := cute.New(cute.Ints(shape...), cute.Ints(stride...))
	if err != nil {
		panic(err)
	}
	return f
}

// TestOutside checks which memory of other libraries is refused, given the driver's answers.
func TestOutside(t *testing.T) {
	t.Parallel()
	d := fakeDevice(1, "A")
	d.ctx = &cuda.Context{}
	ours := cuda.Pointer{Card: true, Device: 1, Start: 0x1000, Size: 0x200}
	change := func(f func(p *cuda.Pointer)) cuda.Pointer { p := ours; f(&p); return p }
	for _, tt := range []struct {
		p    cuda.Pointer
		size int64
		want string
	}{
		{ours, 0x100, ""},
		{ours, 0x101, "has 256 bytes up to the end of its allocation, and 257 are needed"},
		{ours, math.MaxInt64, "has 256 bytes"},
		{change(func(p *cuda.Pointer) { p.Card = false }), 1, "belongs to the host"},
		{change(func(p *cuda.Pointer) { p.Device = 0 }), 1, "on device 0, not on device 1 (A)"},
		{change(func(p *cuda.Pointer) { p.Context = 5 }), 1, "another context of device 1 (A)"},
	} {
		if got := d.outside(tt.p, 0x1100, tt.size); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%+v: got %q, want %q", tt.p, got, tt.want)
		}
	}
}

// TestOtherDevice checks that streams, events and buffers of another device are refused, with the names of both.
func TestOtherDevice(t *testing.T) {
	t.Parallel()
	a, b, again := fakeDevice(0, "A"), fakeDevice(1, "B"), fakeDevice(0, "A")
	x := &Buffer[float32]{r: a.own(nil), n: 1}
	stream := &Stream{r: b.own(nil)}
	event := &Event{r: a.own(nil)}
	closed := &Stream{r: &resource{device: a}}
	launched := &Kernel{r: a.own(nil), name: "k", known: true, params: []parameter{{"x", "", 8}}}
	encode := func(arg any) error { _, err := launched.encode([]any{arg}); return err }
	mapped := &Traced{
		traced: &kernel.Kernel{Name: "k", Params: []kernel.Param{{Name: "A", Map: true}}}, module: &Module{r: a.own(nil)},
	}
	const both = "it is on device 1 (B), not on device 0 (A)"
	if new(Stream).Close() != nil || new(Event).Close() != nil || new(DLTensor).Close() != nil {
		t.Error("closing a zero value returned an error")
	}
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"fill":         {x.On(stream).Fill(0), both},
		"read":         {x.On(stream).Read(t.Context(), nil), both},
		"record":       {event.Record(stream), both},
		"unrecorded":   {stream.After(event), "the event was not recorded"},
		"not waited":   {event.Wait(t.Context()), "the event was not recorded"},
		"no time":      {func() error { _, err := event.Since(event); return err }(), "the event was not recorded"},
		"closed":       {x.On(closed).Fill(0), "the stream was closed"},
		"own stream":   {a.Stream().Close(), "device 0 (A) is closed with the device"},
		"launch":       {encode(&Buffer[float32]{r: b.own(nil)}), both},
		"two openings": {encode(&Buffer[float32]{r: again.own(nil)}), "another opening of device 0 (A)"},
		"tensor map":   {mapped.Launch(Args{"A": &Buffer[float32]{r: b.own(nil)}}), both},
		"nil":          {mapped.Launch(Args{"A": (*Buffer[float32])(nil)}), "a buffer or its address"},
		"zero buffer":  {new(Buffer[float32]).Fill(0), "the buffer was never opened"},
		"zero export":  {func() error { _, err := new(Buffer[float32]).ToDLPack(dtype.F32, cute.Layout{}); return err }(), "never opened"},
		"zero stream":  {new(Stream).Wait(t.Context()), "the stream was never opened"},
		"zero event":   {new(Event).Record(nil), "the event was never opened"},
		"zero tensor":  {encode(new(DLTensor)), "the tensor was never opened"},
		"tensor":       {encode(&DLTensor{r: b.own(nil)}), both},
		"thread":       {func() error { _, err := a.ForeignStream(2); return err }(), "stream 2 is the default stream of each thread"},
		"no context":   {func() error { _, err := OpenContext(0); return err }(), "the context is 0"},
		"foreign":      {func() error { _, err := ForeignBuffer[float32](a, 2, 1); return err }(), "0x2 is not a multiple of 4"},
		"offset":       {func() error { _, err := OpenIPC[float32](a, IPCHandle{Offset: 6}, 1); return err }(), "offset of 6 bytes"},
		"pinned":       {func() error { _, err := (&Pinned[int8]{n: 4}).Part(2, 3); return err }(), "elements from 2 to 4 of pinned memory of 4"},
	} {
		if e, ok := errors.AsType[*Error](tt.err); !ok || e.Code != Argument || !strings.Contains(e.Message, tt.want) {
			t.Errorf("%s: got %v, want an error with %q", name, tt.err, tt.want)
		}
	}
}
