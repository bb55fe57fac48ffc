package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"path"
	"strings"

	"girih/gpu"
	"girih/internal/file"
	"girih/internal/truth"
	"girih/tensormap"
)

var descriptorsCommand = command{
	"descriptors", "[NAME...] [--json] [-o FILE] [--device N]", "hold the descriptors of wgmma to the card", runDescriptors,
	descriptorsHelp,
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

var mapsCommand = command{
	"tensormaps", "[--json] [-o FILE] [--device N]", "hold tensor maps to the driver and the card", runMaps, mapsHelp,
}

const mapsHelp = `
The driver is asked for 6,000 tensor maps, at the limits of the rules of its documentation and past them, and 2,400 boxes
are copied by legal ones, whose bytes are compared with what girih says lands where.

  --json        one object a line, the card first; -o FILE writes that there and the table to the terminal
  --device N    the card, from 0

The exit code is 1 where a box differs. A driver that departs from its documentation is reported and is no failure.
`

func runDescriptors(ctx context.Context, c *call) error {
	var to findings
	var device int
	names, err := c.flags(math.MaxInt, func(fs *flag.FlagSet) {
		fs.BoolVar(&to.asJSON, "json", false, "")
		fs.StringVar(&to.file, "o", "", "")
		fs.IntVar(&device, "device", 0, "")
	})
	if err != nil {
		return err
	}
	d, err := c.open(device)
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
				return usageError(fmt.Sprintf("the pattern %q: %v", n, err))
			}
			wanted = wanted || ok
		}
		if wanted {
			asked = append(asked, a)
		}
	}
	if len(asked) == 0 {
		return usageError(fmt.Sprintf("no wgmma has a name like %s: girih atom lists them", strings.Join(names, ", ")))
	}
	records, err := measure(ctx, d, asked, c.stderr)
	if err != nil {
		return err
	}
	return conclude(c, d, to, records)
}

func runMaps(ctx context.Context, c *call) error {
	var to findings
	var device int
	if _, err := c.flags(0, func(fs *flag.FlagSet) {
		fs.BoolVar(&to.asJSON, "json", false, "")
		fs.StringVar(&to.file, "o", "", "")
		fs.IntVar(&device, "device", 0, "")
	}); err != nil {
		return err
	}
	d, err := c.open(device)
	if err != nil {
		return err
	}
	defer d.Close()
	maps, boxes, err := tryMaps(ctx, d, c.stderr)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(headerOf(d.Info())) // structs of strings and numbers, to memory
	source := truth.Source()
	agree, follow := 0, 0
	var first string
	for i := range maps {
		_ = e.Encode(&maps[i])
		if m, err := maps[i].Map(1 << 32); err == nil && m.Legal() == maps[i].Accepted {
			follow++
		}
	}
	for i := range boxes {
		_ = e.Encode(&boxes[i])
		if why := boxes[i].Differs(source); why == "" {
			agree++
		} else if first == "" {
			first = fmt.Sprintf("box %d: %s: %+v", i, why, boxes[i])
		}
	}
	switch {
	case to.file != "":
		if err := file.Replace(to.file, b.Bytes(), 0o644); err != nil {
			return err
		}
	case to.asJSON:
		_, err = c.stdout.Write(b.Bytes())
		return err
	}
	fmt.Fprintf(c.stdout, "%d of %d maps: the driver follows its documentation\n", follow, len(maps))
	fmt.Fprintf(c.stdout, "%d of %d boxes lie where girih says\n", agree, len(boxes))
	if first != "" {
		fmt.Fprintln(c.stdout, first)
		return errFailed
	}
	return nil
}

// How many tensor maps the driver is asked for, and how many boxes are copied.
const (
	mapCases = 6000
	boxCases = 2400
)

// encodeMap asks the driver for a map.
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

// tryMaps asks the driver for maps at the limits of the rules, each side of them, and copies boxes.
func tryMaps(ctx context.Context, d *gpu.Device, progress io.Writer) ([]truth.MapCase, []truth.BoxCase, error) {
	source, err := gpu.Upload(ctx, d, truth.Source())
	if err != nil {
		return nil, nil, err
	}
	defer source.Close()
	maps := truth.MapCases(mapCases)
	for i := range maps {
		_, err := encodeMap(d, &maps[i], source.Addr())
		maps[i].Accepted = err == nil
	}
	m, err := d.LoadPTX(truth.BoxModule())
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	b := boxer{d, m, source}
	boxes := truth.BoxCases(boxCases)
	for i := range boxes {
		if i%500 == 0 {
			fmt.Fprintf(progress, "%d of %d boxes\n", i, len(boxes))
		}
		if err := b.copy(ctx, &boxes[i]); err != nil {
			return nil, nil, fmt.Errorf("box %d, %+v: %w", i, boxes[i], err)
		}
	}
	return maps, boxes, nil
}

// A boxer copies boxes.
type boxer struct {
	d      *gpu.Device
	m      *gpu.Module
	source *gpu.Buffer[byte]
}

// copy copies one box and takes down what came.
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
