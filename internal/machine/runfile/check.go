package runfile

import (
	"fmt"
	"strconv"

	"girih/dtype"
)

// check checks the fields of f against each other.
func (f *File) check() error {
	if len(f.Buffers) > maxBuffers {
		return errorf("buffers", "%d of them, and there may be %d", len(f.Buffers), maxBuffers)
	}
	if len(f.Params) > maxParams {
		return errorf("params", "%d of them, and there may be %d", len(f.Params), maxParams)
	}
	if err := f.checkLaunch(); err != nil {
		return err
	}
	f.numbers = make(map[string]int, len(f.Buffers))
	for i := range f.Buffers {
		b := &f.Buffers[i]
		at := fmt.Sprintf("buffers[%d]", i)
		if b.Name == "" || f.buffer(b.Name) >= 0 {
			return errorf(at+".name", "expected a name that no other buffer has, found %q", b.Name)
		}
		f.numbers[b.Name] = i
		if err := b.check(at); err != nil {
			return err
		}
	}
	for i := range f.Params {
		if err := f.checkParam(fmt.Sprintf("params[%d]", i), &f.Params[i]); err != nil {
			return err
		}
	}
	for i := range f.Buffers {
		if err := f.checkPatches(fmt.Sprintf("buffers[%d].patches", i), f.Buffers[i].Patches); err != nil {
			return err
		}
	}
	return f.checkOutputs()
}

// checkLaunch checks the numbers of the launch, and sets those that are left out.
func (f *File) checkLaunch() error {
	for _, e := range []*Extent{&f.Grid, &f.Block, &f.Cluster} {
		if *e == (Extent{}) {
			*e = Extent{1, 1, 1}
		}
	}
	if f.Regs < 0 || f.Regs > 255 {
		return errorf("registers", "expected from 1 to 255, found %d", f.Regs)
	}
	if f.Shared < 0 || f.Shared > 1<<30 {
		return errorf("shared", "expected from 0 to %d bytes, found %d", 1<<30, f.Shared)
	}
	return nil
}

// checkOutputs checks that outputs are buffers that exist, each once.
func (f *File) checkOutputs() error {
	seen := map[string]bool{}
	for i, o := range f.Outputs {
		at := fmt.Sprintf("outputs[%d]", i)
		switch {
		case f.buffer(o.Buffer) < 0:
			return f.noBuffer(at+".buffer", o.Buffer)
		case f.Buffers[f.buffer(o.Buffer)].unknown():
			return errorf(at+".buffer", "the contents of the buffer %q are unknown: its fill says so", o.Buffer)
		case seen[o.Buffer]:
			return errorf(at+".buffer", "the buffer %q is an output already", o.Buffer)
		case o.File != "" && o.Values != nil:
			return errorf(at, "expected a file or values, found both")
		case !(o.Rel >= 0) || !(o.Abs >= 0):
			return errorf(at, "expected bounds rel and abs from 0 on, found %v and %v", o.Rel, o.Abs)
		}
		seen[o.Buffer] = true
	}
	return nil
}

// check checks that a buffer has one content, of a known size.
func (b *Buffer) check(at string) error {
	t, err := elementType(at+".type", b.Type)
	if err != nil {
		return err
	}
	given := 0
	for _, is := range []bool{b.Fill != nil, b.File != "", b.Values != nil} {
		if is {
			given++
		}
	}
	if _, err := b.address(at); err != nil {
		return err
	}
	switch {
	case given > 1:
		return errorf(at, "expected one of fill, file and values, found %d of them", given)
	case b.unknown() && (b.Address == "" || b.Bytes < 1 || b.Bytes > maxAddress):
		return errorf(at, "a buffer with the fill unknown needs an address, and bytes from 1 to 2^57")
	case b.unknown():
		return nil
	}
	if err := b.checkSize(at+".bytes", t); err != nil {
		return err
	}
	return b.Fill.check(at + ".fill")
}

// checkSize checks the size of a buffer of known content, with elements of type t.
func (b *Buffer) checkSize(at string, t dtype.Type) error {
	unit := int64(t.Bits() / 8)
	switch {
	case b.Bytes < 0 || b.Bytes > MaxBytes:
		return errorf(at, "expected a size of up to %d, found %d", MaxBytes, b.Bytes)
	case b.Bytes%unit != 0:
		return errorf(at, "expected a multiple of the %d bytes of an element, found %d", unit, b.Bytes)
	case b.Bytes == 0 && b.File == "" && b.Values == nil:
		return errorf(at, "it is missing: only a file and values say how many there are")
	case b.Bytes > 0 && b.Values != nil && b.Bytes != unit*int64(len(b.Values)):
		return errorf(at, "%d values of %v have %d bytes, found %d", len(b.Values), t, unit*int64(len(b.Values)), b.Bytes)
	}
	return nil
}

// check checks the numbers of a fill, which may be nil.
func (f *Fill) check(at string) error {
	switch {
	case f == nil:
		return nil
	case f.Kind == "lcg" && f.Mod == 0:
		return errorf(at+".mod", "expected a number from 1 on, found 0")
	case f.Kind == "lcg" && f.Mod > 1<<31:
		return errorf(at+".mod", "expected up to %d, since s >> 33 has no more, found %d", int64(1)<<31, f.Mod)
	case f.Kind == "lcg" && (f.Scale < -2000 || f.Scale > 2000):
		return errorf(at+".scale", "expected a power of two that a type has, found %d", f.Scale)
	case f.Value < 0 || f.Value > 255:
		return errorf(at+".value", "expected a byte, 0 to 255, found %d", f.Value)
	}
	return nil
}

// maxAddress is the end of the addresses of buffers.
const maxAddress = 1 << 57

// unknown reports whether the content of b is unknown.
func (b *Buffer) unknown() bool { return b.Fill != nil && b.Fill.Kind == "unknown" }

// address returns the required address of b, or 0 if any will do.
func (b *Buffer) address(at string) (uint64, error) {
	if b.Address == "" {
		return 0, nil
	}
	a, err := strconv.ParseUint(string(b.Address), 0, 64)
	if err != nil || a == 0 || a%16 != 0 || a >= maxAddress {
		return 0, errorf(at+".address", "expected a multiple of 16 from 16 on, below 2^57, found %.40q", string(b.Address))
	}
	return a, nil
}

// checkParam checks that the buffers of a parameter exist, and that it has one value.
func (f *File) checkParam(at string, p *Param) error {
	switch p.Kind {
	case "buffer", "map":
		if f.buffer(p.Buffer) < 0 {
			return f.noBuffer(at+".buffer", p.Buffer)
		}
		if p.Offset < 0 {
			return errorf(at+".offset", "expected bytes from 0 on, found %d", p.Offset)
		}
	case "scalar":
		if (p.Bytes == "") == (p.Value == "") {
			return errorf(at, "expected bytes or a value, found %s", map[bool]string{true: "neither", false: "both"}[p.Bytes == ""])
		}
		if p.Value != "" && p.Type == "" {
			return errorf(at+".type", "it is missing, and the value needs it")
		}
	case "bytes":
		if p.Size < 0 || p.Size > MaxParam {
			return errorf(at+".size", "expected up to %d bytes, found %d", MaxParam, p.Size)
		}
		if p.Bytes != "" && p.File != "" {
			return errorf(at, "expected bytes or a file, found both")
		}
	}
	return f.checkPatches(at+".patches", p.Patches)
}

func (f *File) checkPatches(at string, list []Patch) error {
	for i := range list {
		p := &list[i]
		here := fmt.Sprintf("%s[%d]", at, i)
		if p.At < 0 {
			return errorf(here+".at", "expected bytes from 0 on, found %d", p.At)
		}
		if p.Kind == "bytes" && len(p.Patches) > 0 {
			return errorf(here+".patches", "patches of a patch are patches of the whole")
		}
		if err := f.checkParam(here, &p.Param); err != nil {
			return err
		}
	}
	return nil
}

// buffer returns the number of the buffer of that name, or -1.
func (f *File) buffer(name string) int {
	if i, ok := f.numbers[name]; ok {
		return i
	}
	return -1
}

func (f *File) noBuffer(field, name string) error {
	list := "there is none"
	for i, b := range f.Buffers {
		if i == 0 {
			list = "there are " + b.Name
		} else {
			list += ", " + b.Name
		}
		if len(list) > 200 {
			break
		}
	}
	return errorf(field, "there is no buffer %.40q: %.200s", name, list)
}
