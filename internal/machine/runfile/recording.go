package runfile

import (
	"encoding/hex"
	"fmt"
	"strconv"
)

// A recording is a launch recorded on a GPU: the bytes of the parameters, the shape of the launch, and each buffer
// before and after it. N.json describes a launch; N.buf0.pre and N.buf0.post contain the bytes of its first buffer. A
// buffer without a .pre was not recorded; a buffer without a .post did not change. docs/simulator.md says how to make a
// recording.
type recording struct {
	Entry    string            `json:"entry"`
	Grid     Extent            `json:"grid"`
	Block    Extent            `json:"block"`
	Cluster  Extent            `json:"cluster,omitempty"`
	Shared   int64             `json:"shared,omitempty"`
	Params   []recordedParam   `json:"params,omitempty"`
	Bytes    string            `json:"bytes,omitempty"`
	Pointers []recordedPointer `json:"pointers,omitempty"`
	Buffers  []recordedBuffer  `json:"buffers,omitempty"`
}

// recordedParam is the place of a parameter in the bytes of all parameters.
type recordedParam struct {
	Offset int64 `json:"offset"`
	Size   int64 `json:"size"`
}

// recordedPointer is an address in the parameters. Only people read it: the buffers keep their addresses.
type recordedPointer struct {
	Offset int64 `json:"offset"`
	Buffer int64 `json:"buffer"`
	At     int64 `json:"at"`
}

// recordedBuffer is the address and the size of a buffer.
type recordedBuffer struct {
	Address uint64 `json:"address"`
	Size    int64  `json:"size"`
}

// A Comparison says how buffers are compared with their recorded content after the launch.
type Comparison struct {
	Types    map[string]string // element types by buffer, such as buf2; "" is for all others; u8 by default
	Rel, Abs float64           // the tolerance of an element, as in [Output]
}

// Recording returns the description of a recorded launch. text is the contents of N.json, files are the names and sizes
// of the files in its folder. The buffers are buf0, buf1, ..., at their addresses. The content of a buffer after the
// launch is its output. The error is an [*Error].
func Recording(number int, text []byte, files map[string]int64, c Comparison) (*File, error) {
	r := new(recording)
	if err := parse(text, r); err != nil {
		return nil, err
	}
	f := &File{Entry: r.Entry, Grid: r.Grid, Block: r.Block, Cluster: r.Cluster, Shared: r.Shared}
	if r.Entry == "?" {
		return nil, errorf("entry", "the recorder did not learn the name of the kernel")
	}
	if len(r.Buffers) > maxBuffers {
		return nil, errorf("buffers", "%d of them, and there may be %d", len(r.Buffers), maxBuffers)
	}
	if err := r.params(f); err != nil {
		return nil, err
	}
	if err := c.checkTypes(len(r.Buffers)); err != nil {
		return nil, err
	}
	for k, b := range r.Buffers {
		if b.Size == 0 {
			continue // an allocation of 0 bytes
		}
		if err := f.record(fmt.Sprintf("%d.buf%d", number, k), k, b, files); err != nil {
			return nil, err
		}
	}
	for i := range f.Buffers {
		b := &f.Buffers[i]
		if b.Type = c.Types[b.Name]; b.Type == "" {
			b.Type = c.Types[""]
		}
		if b.unknown() {
			b.Type = ""
		}
	}
	for i := range f.Outputs {
		f.Outputs[i].Rel, f.Outputs[i].Abs = c.Rel, c.Abs
	}
	return f, f.check()
}

// checkTypes refuses a type for a buffer that is not one of the n buffers.
func (c Comparison) checkTypes(n int) error {
	for name := range c.Types {
		k, err := strconv.Atoi(name[min(len("buf"), len(name)):])
		if name != "" && (err != nil || name != bufferName(k) || k < 0 || k >= n) {
			return errorf("buffers", "there is no buffer %.40q to give a type: there are buf0 to buf%d", name, n-1)
		}
	}
	return nil
}

func bufferName(k int) string { return fmt.Sprintf("buf%d", k) }

// record adds a buffer and its expected content.
func (f *File) record(file string, k int, b recordedBuffer, files map[string]int64) error {
	at := fmt.Sprintf("buffers[%d]", k)
	if b.Size < 0 {
		return errorf(at+".size", "expected bytes from 0 on, found %d", b.Size)
	}
	to := Buffer{Name: bufferName(k), Bytes: b.Size, Address: Number(fmt.Sprintf("0x%x", b.Address)), File: file + ".pre"}
	before, known := files[to.File]
	want := file + ".post"
	after, changed := files[want]
	switch {
	case !known && changed:
		return errorf(at, "there is %s, and no %s", want, to.File)
	case !known:
		to.File, to.Fill = "", &Fill{Kind: "unknown"}
	case before != b.Size:
		return errorf(at+".size", "%s has %d bytes, and the buffer %d", to.File, before, b.Size)
	case changed && after != b.Size:
		return errorf(at+".size", "%s has %d bytes, and the buffer %d", want, after, b.Size)
	case changed:
		f.Outputs = append(f.Outputs, Output{Buffer: to.Name, File: want})
	default:
		f.Outputs = append(f.Outputs, Output{Buffer: to.Name, File: to.File})
	}
	f.Buffers = append(f.Buffers, to)
	return nil
}

// params splits the bytes of all parameters.
func (r *recording) params(f *File) error {
	all, err := hex.DecodeString(r.Bytes)
	if err != nil {
		return errorf("bytes", "expected bytes in hexadecimal, two digits each, found %.40q", r.Bytes)
	}
	if len(r.Params) > maxParams {
		return errorf("params", "%d of them, and there may be %d", len(r.Params), maxParams)
	}
	for i, p := range r.Params {
		at := fmt.Sprintf("params[%d]", i)
		if p.Size < 1 || p.Offset < 0 || p.Offset > int64(len(all)) || p.Size > int64(len(all))-p.Offset {
			return errorf(at, "%d bytes at byte %d of %d", p.Size, p.Offset, len(all))
		}
		f.Params = append(f.Params, Param{
			Kind: "bytes", Size: p.Size, Bytes: hex.EncodeToString(all[p.Offset : p.Offset+p.Size]),
		})
	}
	return nil
}
