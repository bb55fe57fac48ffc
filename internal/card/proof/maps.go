package proof

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"path"
	"strings"

	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/card/truth"
	"girih/internal/file"
	"girih/tensormap"
)

// Descriptors is girih-gpu descriptors.
var Descriptors = command.Command{
	Name: "descriptors",
	Args: "[NAME...] [--json] [-o FILE] [--device N]",
	Help: "hold the descriptors of wgmma to the card",
	Run:  runDescriptors,
	More: descriptorsHelp,
}

const descriptorsHelp = `
Every wgmma reads its operands in shared memory by descriptors in all canonical forms, of each pattern and major from
each step along K on, and some by random ones: other distances, starts anywhere, base offsets. Shared memory holds the
numbers of its own elements and the other operand is a part of the identity, so the result shows which element each
descriptor leads to.

  NAME...       instructions or patterns of names: 'SM90_64x8x*'; all if there are none
  --json        one object a line, the card first; -o FILE writes that there and the table to the terminal
  --device N    the card, from 0

The exit code is 1 where the card differs.
`

// Maps is girih-gpu tensormaps.
var Maps = command.Command{
	Name: "tensormaps",
	Args: "[--json] [-o FILE] [--device N]",
	Help: "hold tensor maps to the driver and the card",
	Run:  runMaps,
	More: mapsHelp,
}

const mapsHelp = `
The driver is asked for 6,000 tensor maps, at the limits of the rules of its documentation and past them. The 128 bytes
of those that it makes are compared with girih's, and 2,400 boxes are copied by legal ones, whose bytes are compared
with what girih says lands where.

  --json        one object a line, the card first; -o FILE writes that there and the table to the terminal
  --device N    the card, from 0

The exit code is 1 where a box or the bytes of a map differ. A driver that departs from its documentation is reported
and is no failure.
`

func runDescriptors(ctx context.Context, c *command.Call) error {
	var to findings
	var device int
	names, err := c.Flags(math.MaxInt, func(fs *flag.FlagSet) {
		fs.BoolVar(&to.asJSON, "json", false, "")
		fs.StringVar(&to.file, "o", "", "")
		fs.IntVar(&device, "device", 0, "")
	})
	if err != nil {
		return err
	}
	d, err := c.Open(device)
	if err != nil {
		return err
	}
	defer d.Close()
	var asked []truth.Atom
	for _, a := range truth.Descriptors(d.Info().Chip) {
		wanted := len(names) == 0
		for _, n := range names {
			ok, err := path.Match(n, a.Name)
			if err != nil {
				return command.UsageError(fmt.Sprintf("the pattern %q: %v", n, err))
			}
			wanted = wanted || ok
		}
		if wanted {
			asked = append(asked, a)
		}
	}
	if len(asked) == 0 {
		return command.UsageError(fmt.Sprintf("no wgmma has a name like %s: girih atom lists them", strings.Join(names, ", ")))
	}
	records, err := measure(ctx, d, asked, c.Stderr)
	if err != nil {
		return err
	}
	return conclude(c, d, to, records)
}

func runMaps(ctx context.Context, c *command.Call) error {
	var to findings
	var device int
	if _, err := c.Flags(0, func(fs *flag.FlagSet) {
		fs.BoolVar(&to.asJSON, "json", false, "")
		fs.StringVar(&to.file, "o", "", "")
		fs.IntVar(&device, "device", 0, "")
	}); err != nil {
		return err
	}
	d, err := c.Open(device)
	if err != nil {
		return err
	}
	defer d.Close()
	f, err := tryMaps(ctx, d, mapCount{maps: 6000, boxes: 2400})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(headerOf(d.Info())) // structs of strings and numbers, to memory
	for i := range f.maps {
		_ = e.Encode(&f.maps[i])
	}
	for i := range f.boxes {
		_ = e.Encode(&f.boxes[i])
	}
	switch {
	case to.file != "":
		if err := file.Replace(to.file, b.Bytes(), 0o644); err != nil {
			return err
		}
	case to.asJSON:
		_, err = c.Stdout.Write(b.Bytes())
		return err
	}
	fmt.Fprintf(c.Stdout, "%s\n", f)
	if f.first != "" {
		fmt.Fprintln(c.Stdout, f.first)
		return command.ErrFailed
	}
	return nil
}

// mapCount is the number of tensor maps to encode, and of boxes to copy.
type mapCount struct{ maps, boxes int }

// mapFindings are the results of a driver and a card for tensor maps.
type mapFindings struct {
	maps          []truth.MapCase
	boxes         []truth.BoxCase
	follow, agree int    // maps that follow the documentation, boxes that agree with girih
	made, same    int    // legal maps that the driver made, and how many have girih's bytes
	first         string // the first box or map that differs
}

func (f *mapFindings) String() string {
	return fmt.Sprintf("%d of %d maps are as documented, %d of %d have the bytes of girih, %d of %d boxes lie where "+
		"girih says", f.follow, len(f.maps), f.same, f.made, f.agree, len(f.boxes))
}

// compareBytes compares the bytes of a map of the driver with girih's.
func (f *mapFindings) compareBytes(m tensormap.Map, got gpu.TensorMap) {
	want, err := m.Encode()
	if err != nil {
		return // the driver departs from its documentation
	}
	f.made++
	read, err := tensormap.Decode(got[:])
	if err == nil && got == want && read.Err() == nil {
		f.same++
	} else if f.first == "" {
		f.first = fmt.Sprintf("%s: the driver makes %x, girih %x, %v", m, got, want, err)
	}
}

// encodeMap encodes a map with the driver.
func encodeMap(d *gpu.Device, c *truth.MapCase, memory uint64) (tm gpu.TensorMap, err error) {
	m, err := c.Map(memory)
	if err != nil {
		return tm, err
	}
	t := gpu.Tensor{
		Type: gpu.TensorType(m.Type), Addr: m.Address, Shape: c.Dims, Stride: c.Strides, Box: c.Box, Step: c.Steps,
		Interleave: gpu.TensorInterleave(m.Interleave), Swizzle: gpu.TensorSwizzle(m.Swizzle),
		Promote: c.Promotion, NaN: c.NaN,
	}
	if m.Mode == tensormap.Im2col {
		t.Im2col = &gpu.Im2col{Lower: c.Lower, Upper: c.Upper, Channels: c.Channels, Pixels: c.Pixels}
	}
	return d.TensorMap(t)
}

// tryMaps encodes maps on both sides of the limits of the rules, and copies boxes.
func tryMaps(ctx context.Context, d *gpu.Device, n mapCount) (*mapFindings, error) {
	memory := truth.Source()
	source, err := gpu.Upload(ctx, d, memory)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	f := &mapFindings{maps: truth.MapCases(n.maps), boxes: truth.BoxCases(n.boxes)}
	for i := range f.maps {
		c := &f.maps[i]
		tm, refused := encodeMap(d, c, source.Addr())
		c.Accepted = refused == nil
		m, err := c.Map(source.Addr())
		if err == nil && m.Legal() == c.Accepted {
			f.follow++
		}
		if err == nil && c.Accepted {
			f.compareBytes(m, tm)
		}
	}
	m, err := d.LoadPTX(truth.BoxModule())
	if err != nil {
		return nil, err
	}
	defer m.Close()
	b := boxer{d, m, source}
	for i := range f.boxes {
		c := &f.boxes[i]
		if err := b.copy(ctx, c); err != nil {
			return nil, fmt.Errorf("box %d, %+v: %w", i, *c, err)
		}
		if why := c.Differs(memory); why == "" {
			f.agree++
		} else if f.first == "" {
			f.first = fmt.Sprintf("box %d: %s: %+v", i, why, *c)
		}
	}
	return f, nil
}

// A boxer copies boxes.
type boxer struct {
	d      *gpu.Device
	m      *gpu.Module
	source *gpu.Buffer[byte]
}

// copy copies one box and records the result.
func (b *boxer) copy(ctx context.Context, c *truth.BoxCase) error {
	d, m, source := b.d, b.m, b.source
	tm, err := encodeMap(d, &c.Map, source.Addr())
	if err != nil {
		c.Map.Accepted = false
		return nil
	}
	c.Map.Accepted = true
	k, err := m.Kernel(c.Kernel())
	if err != nil {
		return err
	}
	words, err := gpu.Upload(ctx, d, c.Words())
	if err != nil {
		return err
	}
	defer words.Close()
	results := make([]uint32, truth.BoxResults)
	out, err := gpu.Alloc[uint32](d, len(results))
	if err != nil {
		return err
	}
	defer out.Close()
	config := gpu.Config{Grid: gpu.Dim{X: 1}, Block: gpu.Dim{X: truth.BoxThreads}, Shared: truth.BoxShared}
	if err := k.Launch(config, tm, words, out); err != nil {
		return err
	}
	if err := out.Read(ctx, results); err != nil {
		return err
	}
	c.Set(results)
	return nil
}
