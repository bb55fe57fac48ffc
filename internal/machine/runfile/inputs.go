package runfile

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"girih/dtype"
	"girih/ptx/sim"
	"girih/tensormap"
)

// Inputs are a description with all bytes that it refers to.
type Inputs struct {
	file    *File
	host    Host
	buffers []contents
	files   map[string][]byte // the files of parameters, by field
	want    []contents        // the expected contents of the outputs; no data for an output without one
}

// contents are the bytes of a buffer.
type contents struct {
	t    dtype.Type
	size int64
	data []byte // nil if the content is not known
}

// Load gets the contents of the buffers, the parameters and the outputs. The error is an [*Error], also for an error
// of the host's Open, or the error of its Keep or Stop. Load sums all sizes that f declares, and passes the sum to
// Keep before it allocates anything.
func (f *File) Load(h Host) (*Inputs, error) {
	left, err := f.declare(h)
	if err != nil {
		return nil, err
	}
	in := &Inputs{file: f, host: h, files: map[string][]byte{}}
	for i := range f.Buffers {
		at, b := fmt.Sprintf("buffers[%d]", i), &f.Buffers[i]
		if b.unknown() {
			in.buffers = append(in.buffers, contents{t: dtype.U8})
			continue
		}
		c, err := b.load(at, h, left)
		if err == nil && b.size() == 0 { // only the file has its size; open has requested it
			left -= c.size
			err = h.keep((f.copies(i) - 1) * c.size)
		}
		if err != nil {
			return nil, err
		}
		in.buffers = append(in.buffers, c)
	}
	if err := in.loadParams(h); err != nil {
		return nil, err
	}
	for i, o := range f.Outputs {
		at := fmt.Sprintf("outputs[%d]", i)
		has := in.buffers[f.buffer(o.Buffer)]
		b := Buffer{Type: has.t.String(), File: o.File, Values: o.Values, Bytes: has.size}
		if o.File == "" && o.Values == nil {
			in.want = append(in.want, contents{})
			continue
		}
		if o.File != "" && o.File == f.Buffers[f.buffer(o.Buffer)].File {
			in.want = append(in.want, has) // the content does not change
			continue
		}
		c, err := b.load(at, h, 0)
		if err != nil {
			return nil, err
		}
		if c.size != has.size {
			return nil, errorf(at, "%d bytes are wanted in the buffer %s, which has %d", c.size, o.Buffer, has.size)
		}
		in.want = append(in.want, c)
	}
	return in, nil
}

// declare sums the sizes that f declares and requests that much memory. It returns the bytes left for buffers whose
// size is the size of their file.
func (f *File) declare(h Host) (left int64, err error) {
	left = MaxBytes
	need := int64(0)
	for i := range f.Buffers {
		size := f.Buffers[i].size()
		if size > left {
			return 0, errorf(fmt.Sprintf("buffers[%d]", i), "%d bytes with the buffers before it, and there may be %d",
				MaxBytes-left+size, int64(MaxBytes))
		}
		left -= size
		need += size * f.copies(i)
	}
	return left, h.keep(need)
}

// copies returns how many copies of the bytes of buffer i exist: its content, the memory of a run, the expected content
// if there is one, and the content with patches if there are any.
func (f *File) copies(i int) int64 {
	b := &f.Buffers[i]
	n := int64(2)
	for _, o := range f.Outputs {
		if o.Buffer == b.Name && (o.File != "" && o.File != b.File || o.Values != nil) {
			n++
		}
	}
	if len(b.Patches) > 0 {
		n++
	}
	return n
}

// size returns the size of b in bytes, 0 if only its file states it.
func (b *Buffer) size() int64 {
	if b.unknown() {
		return 0
	}
	if b.Bytes > 0 || len(b.Values) == 0 {
		return b.Bytes
	}
	t, err := elementType("", b.Type)
	if err != nil {
		return 0 // check has refused it
	}
	return int64(len(b.Values)) * int64(t.Bits()/8)
}

// loadParams reads the files of parameters.
func (in *Inputs) loadParams(h Host) error {
	for i, p := range in.file.Params {
		if p.File == "" {
			continue
		}
		at := fmt.Sprintf("params[%d]", i)
		most := int64(MaxParam)
		if p.Size > 0 {
			most = p.Size
		}
		text, err := h.open(at+".file", p.File, most+maxHeader)
		if err != nil {
			return err
		}
		if in.files[at], _, err = content(at+".file", text); err != nil {
			return err
		}
	}
	return nil
}

// load gets the content of a buffer. If only its file states its size, the file may have left bytes.
func (b *Buffer) load(at string, h Host, left int64) (contents, error) {
	t, err := elementType(at+".type", b.Type)
	if err != nil {
		return contents{}, err
	}
	c := contents{t: t, size: b.Bytes}
	switch {
	case b.Fill != nil:
		c.data, err = b.Fill.fill(at+".fill", t, b.Bytes, h)
	case b.Values != nil:
		c.data = make([]byte, 0, b.size())
		for i, v := range b.Values {
			code, err := v.encode(fmt.Sprintf("%s.values[%d]", at, i), t)
			if err != nil {
				return c, err
			}
			c.data = appendCode(c.data, t, code)
		}
		c.size = int64(len(c.data))
	case b.File != "":
		err = c.read(at, b, h, left)
	}
	return c, err
}

// read gets the content of a file.
func (c *contents) read(at string, b *Buffer, h Host, left int64) error {
	if b.Bytes > 0 {
		left = b.Bytes
	}
	text, err := h.open(at+".file", b.File, left+maxHeader)
	if err != nil {
		return err
	}
	data, has, err := content(at+".file", text)
	if err != nil {
		return err
	}
	if has != 0 && b.Type == "" {
		c.t = has
	}
	unit := c.t.Bits() / 8
	switch {
	case has != 0 && has.Bits() != c.t.Bits():
		return errorf(at+".file", "%s has elements of type %v, and the buffer of type %v", b.File, has, c.t)
	case len(data)%unit != 0:
		return errorf(at+".file", "%s has %d bytes, no multiple of the %d of an element", b.File, len(data), unit)
	case b.Bytes > 0 && int64(len(data)) != b.Bytes:
		return errorf(at+".file", "%s has %d bytes, and the buffer %d", b.File, len(data), b.Bytes)
	case len(data) == 0:
		return errorf(at+".file", "%s has no bytes", b.File)
	case int64(len(data)) > left:
		return errorf(at+".file", "%s has %d bytes, and %d are left of the %d that all buffers may have", b.File, len(data),
			left, int64(MaxBytes))
	}
	c.data, c.size = data, int64(len(data))
	return nil
}

// Bytes returns the size of all buffers.
func (in *Inputs) Bytes() int64 {
	n := int64(0)
	for _, c := range in.buffers {
		n += c.size
	}
	return n
}

// RunBytes returns the size of the buffers of a [Run], with their contents before the run if there are patches.
func (in *Inputs) RunBytes() int64 {
	n := in.Bytes()
	for i, c := range in.buffers {
		if len(in.file.Buffers[i].Patches) > 0 {
			n += c.size
		}
	}
	return n
}

// A Run is a launch of a program, with its memory.
type Run struct {
	Memory  *sim.Memory
	Launch  sim.Launch // Steps and Seed are the caller's
	inputs  *Inputs
	buffers []*sim.Buffer // nil for a buffer of unknown content
	address []uint64      // the addresses of the buffers
	before  [][]byte      // contents with the patches
}

// New returns a run of p with its own memory, in which the buffers have their initial contents. The error is an
// [*Error].
func (in *Inputs) New(p *sim.Program) (*Run, error) {
	m, err := p.NewMemory()
	if err != nil {
		return nil, errorf("ptx", "%v", err)
	}
	f := in.file
	r := &Run{Memory: m, inputs: in, Launch: sim.Launch{
		Entry: f.Entry, Grid: f.Grid.dim(), Block: f.Block.dim(), Shared: int(f.Shared),
		Registers: int(f.Regs), NonPortable: true,
	}}
	if f.Cluster != (Extent{1, 1, 1}) {
		r.Launch.Cluster = f.Cluster.dim()
	}
	for i := range in.buffers {
		if err := r.add(i); err != nil {
			return nil, err
		}
	}
	for i := range f.Buffers {
		if err := r.patch(i); err != nil {
			return nil, err
		}
	}
	for i := range f.Params {
		a, err := r.argument(fmt.Sprintf("params[%d]", i), &f.Params[i])
		if err != nil {
			return nil, err
		}
		r.Launch.Args = append(r.Launch.Args, a)
	}
	return r, nil
}

// add adds buffer i to the memory.
func (r *Run) add(i int) error {
	m, c, f := r.Memory, r.inputs.buffers[i], &r.inputs.file.Buffers[i]
	at := fmt.Sprintf("buffers[%d]", i)
	address, err := f.address(at)
	if err != nil {
		return err
	}
	var b *sim.Buffer
	switch {
	case f.unknown():
		err = m.Reserve(f.Name, address, uint64(f.Bytes))
	case address != 0:
		b, err = m.Place(f.Name, address, c.size, c.data)
	case c.data == nil:
		b, err = m.Alloc(f.Name, c.size)
	default:
		b, err = m.Put(f.Name, c.data)
	}
	if err != nil {
		return errorf(at, "%v", err)
	}
	if b != nil {
		address = b.Address()
	}
	r.buffers, r.address = append(r.buffers, b), append(r.address, address)
	return nil
}

// patch writes values into buffer i, which depend on the addresses of other buffers.
func (r *Run) patch(i int) error {
	b := &r.inputs.file.Buffers[i]
	at := fmt.Sprintf("buffers[%d].patches", i)
	if len(b.Patches) == 0 {
		r.before = append(r.before, r.inputs.buffers[i].data)
		return nil
	}
	if r.inputs.buffers[i].data == nil {
		return errorf(at, "the rest of the buffer is not written: give it a fill")
	}
	data := r.buffers[i].Bytes()
	for k := range b.Patches {
		here := fmt.Sprintf("%s[%d]", at, k)
		a, err := r.argument(here, &b.Patches[k].Param)
		if err != nil {
			return err
		}
		part, from := a.Bytes(), b.Patches[k].At
		if from > int64(len(data)) || int64(len(part)) > int64(len(data))-from {
			return errorf(here+".at", "%d bytes at byte %d of a buffer of %d", len(part), from, len(data))
		}
		copy(data[from:], part)
	}
	r.before = append(r.before, bytes.Clone(data))
	return nil
}

// argument returns the argument for a parameter.
func (r *Run) argument(at string, p *Param) (sim.Arg, error) {
	switch p.Kind {
	case "scalar":
		return p.scalar(at)
	case "buffer":
		return sim.U64(r.address[r.inputs.file.buffer(p.Buffer)] + uint64(p.Offset)), nil
	case "map":
		return r.tensorMap(at, p)
	}
	raw, err := hexBytes(at+".bytes", p.Bytes)
	if err != nil {
		return sim.Arg{}, err
	}
	if p.File != "" {
		raw = r.inputs.files[at]
	}
	switch {
	case p.Size == 0 && len(raw) == 0:
		return sim.Arg{}, errorf(at+".size", "it is missing: nothing else says how many bytes there are")
	case p.Size > 0 && int64(len(raw)) > p.Size || len(raw) > MaxParam:
		return sim.Arg{}, errorf(at, "%d bytes, and it has a size of %d", len(raw), p.Size)
	}
	whole := make([]byte, max(int(p.Size), len(raw)))
	copy(whole, raw)
	a := sim.Bytes(whole)
	for i := range p.Patches {
		here := fmt.Sprintf("%s.patches[%d]", at, i)
		part, err := r.argument(here, &p.Patches[i].Param)
		if err != nil {
			return sim.Arg{}, err
		}
		if a, err = a.At(int(min(p.Patches[i].At, MaxParam+1)), part); err != nil {
			return sim.Arg{}, errorf(here+".at", "%v", err)
		}
	}
	return a, nil
}

// scalar returns a number.
func (p *Param) scalar(at string) (sim.Arg, error) {
	if p.Bytes != "" {
		b, err := hexBytes(at+".bytes", p.Bytes)
		if err == nil && len(b) > MaxParam {
			err = errorf(at+".bytes", "%d bytes, and a parameter may have %d", len(b), MaxParam)
		}
		return sim.Bytes(b), err
	}
	t, err := elementType(at+".type", p.Type)
	if err != nil {
		return sim.Arg{}, err
	}
	code, err := p.Value.encode(at+".value", t)
	return sim.Bytes(appendCode(nil, t, code)), err
}

// tensorMap returns a tensor map.
func (r *Run) tensorMap(at string, p *Param) (sim.Arg, error) {
	t, err := tensormap.ParseType(p.Type)
	if err != nil {
		return sim.Arg{}, errorf(at+".type", "%v", err)
	}
	m := tensormap.Map{
		Type: t, Address: r.address[r.inputs.file.buffer(p.Buffer)] + uint64(p.Offset),
		Dims: p.Dims, Strides: p.Strides, Box: p.Box, Steps: p.ElementStrides,
		Lower: p.Lower, Upper: p.Upper, Channels: p.Channels, Pixels: p.Pixels,
		Interleave: map[string]tensormap.Interleave{
			"16B": tensormap.Interleave16B, "32B": tensormap.Interleave32B,
		}[p.Interleave],
		Promotion: map[string]tensormap.Promotion{
			"64B": tensormap.Promotion64B, "128B": tensormap.Promotion128B, "256B": tensormap.Promotion256B,
		}[p.Promotion],
	}
	if p.Mode == "im2col" {
		m.Mode = tensormap.Im2col
	}
	if p.OOBFill == "nan" {
		m.Fill = tensormap.FillNaN
	}
	if p.Swizzle != "" {
		if m.Swizzle, err = tensormap.ParseSwizzle(p.Swizzle); err != nil {
			return sim.Arg{}, errorf(at+".swizzle", "%v", err)
		}
	}
	a, err := sim.TensorMap(m)
	if err != nil {
		e, _ := errors.AsType[*sim.Error](err)
		return a, errorf(at, "%s", e.Msg)
	}
	return a, nil
}

// hexBytes reads bytes in hexadecimal, with optional blanks.
func hexBytes(field, text string) ([]byte, error) {
	b, err := hex.DecodeString(strings.Join(strings.Fields(strings.TrimPrefix(text, "0x")), ""))
	if err != nil {
		return nil, errorf(field, "expected bytes in hexadecimal, two digits each, found %.40q", text)
	}
	return b, nil
}
