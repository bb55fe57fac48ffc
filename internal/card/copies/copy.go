package copies

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/card/command"
	"girih/internal/file"
	"girih/kernel/copy"
)

// Copy is girih-gpu copy.
var Copy = command.Command{
	Name: "copy",
	Args: "SRC DST --type T [options]",
	Help: "copy between two layouts of one size, and compare with a device copy",
	Run:  runCopy,
	More: copyHelp,
}

const copyHelp = `
Plans the copy of a tensor with layout SRC to a tensor with layout DST, runs it, compares the result with the
definition (element i of DST is element i of SRC), and times it against a device copy of the same bytes.

  girih-gpu copy '(4096,8192):(8192,1)' '(4096,8192):(1,4096)' --type f16
  girih-gpu copy '(3,1000):(1,3)' '(3,1000):(1000,1)' --type u8 --plan
  girih-gpu copy '4096:1' 'Sw<3,4,3> o 0 o 4096:1' --type f32 --print -o copy.ptx
  girih-gpu copy '(M,N{div=8}):(N,1)' '(M,N):(1,M)' --type f16 --set M=4095,N=4096

Names and ? in the layouts are run-time integers: one kernel is for all their values, which are its parameters. Facts
about them make it fast: {div=8}, {<=64}; {i64} allows more than 32 bits.

  --set M=64,N=32     values of run-time integers; without it, --plan and --print are for all values
  --type T            type of the elements, of 8 to 128 bits: f16, u8, b128, ...
  --src-align N       alignment in bytes of SRC at offset 0; --dst-align N is the same for DST; default 256
  --way W             direct, blocks, rows or shifted, instead of the planner's choice
  --vector N          bytes of the widest access
  --flight N          bytes in flight for each thread
  --tile N            bytes of the runs of a tile
  --threads N         threads of a block
  --order src         order the blocks along SRC
  --rounds N          rounds of the measurement, default 15
  --counters          also print the sectors that the card counts, by ncu
  --device N          the card, from 0
  --plan              print the plan and its prediction; needs no card
  --print             print the kernel as PTX, or write it to -o FILE; needs no card
  --json              print one object

Sectors and wavefronts are predicted from the addresses of eight blocks, instructions from the text.
Exit codes: 0 all is right, 1 something is wrong or could not run, 2 wrong usage.
`

// A copyRequest has the arguments.
type copyRequest struct {
	src, dst           string
	o                  copy.Options
	device, rounds     int
	plan, print, json  bool
	counters           bool
	out, typ, way, ord string
	set                []string
}

func parseCopy(c *command.Call) (*copyRequest, error) {
	r := &copyRequest{}
	layouts, err := c.Flags(2, func(fs *flag.FlagSet) {
		fs.StringVar(&r.typ, "type", "", "")
		fs.Func("set", "", func(text string) error {
			r.set = append(r.set, strings.Split(text, ",")...)
			return nil
		})
		fs.Int64Var(&r.o.SrcAlign, "src-align", 0, "")
		fs.Int64Var(&r.o.DstAlign, "dst-align", 0, "")
		r.knobs(fs)
		fs.IntVar(&r.rounds, "rounds", 15, "")
		fs.IntVar(&r.device, "device", 0, "")
		fs.BoolVar(&r.plan, "plan", false, "")
		fs.BoolVar(&r.print, "print", false, "")
		fs.StringVar(&r.out, "o", "", "")
		fs.BoolVar(&r.json, "json", false, "")
		fs.BoolVar(&r.counters, "counters", false, "")
	})
	switch {
	case err != nil:
		return nil, err
	case len(layouts) != 2:
		return nil, command.UsageError(fmt.Sprintf("expected two layouts, SRC and DST, found %d", len(layouts)))
	case r.typ == "":
		return nil, command.UsageError("the type of the elements is missing: --type f16")
	case r.out != "" && !r.print:
		return nil, command.UsageError("-o is where --print writes to")
	case r.rounds < 1:
		return nil, command.UsageError(fmt.Sprintf("--rounds is 1 at least, found %d", r.rounds))
	}
	r.src, r.dst = layouts[0], layouts[1]
	r.o.Way, r.o.Order = copy.Way(r.way), copy.Order(r.ord)
	if r.typ == "b128" || r.typ == "u128" {
		r.o.Bytes = 16
		return r, nil
	}
	t, err := dtype.Parse(r.typ)
	if err != nil {
		return nil, err
	}
	if t.Bits()%8 != 0 {
		return nil, &cute.Error{
			Code: cute.CodeType, Op: "copy", Msg: fmt.Sprintf("%v has %d bits: expected whole bytes", t, t.Bits()),
			Hint: "recast the layouts to u8: recast(layout, bits, 8)",
		}
	}
	r.o.Bytes = int64(t.Bits() / 8)
	return r, nil
}

// knobs defines the options that overrule the planner.
func (r *copyRequest) knobs(fs *flag.FlagSet) {
	fs.StringVar(&r.way, "way", "", "")
	fs.StringVar(&r.ord, "order", "", "")
	fs.Int64Var(&r.o.Vector, "vector", 0, "")
	fs.Int64Var(&r.o.Flight, "flight", 0, "")
	fs.Int64Var(&r.o.Tile, "tile", 0, "")
	fs.Int64Var(&r.o.Threads, "threads", 0, "")
}

// parseInner parses a layout, or a swizzle, an offset and a layout.
func parseInner(text string) (cute.Inner, error) {
	parts := strings.SplitN(text, " o ", 3)
	if len(parts) != 3 {
		return cute.Parse(text)
	}
	w, err := cute.ParseSwizzle(strings.TrimSpace(parts[0]))
	if err != nil {
		return nil, err
	}
	offset, err := cute.ParseTuple(parts[1])
	if err != nil {
		return nil, err
	}
	l, err := cute.Parse(parts[2])
	if err != nil {
		return nil, err
	}
	return cute.NewComposed(w, offset, l)
}

func runCopy(ctx context.Context, c *command.Call) error {
	r, err := parseCopy(c)
	if err != nil {
		return err
	}
	p, err := r.layouts()
	if err != nil {
		return err
	}
	k, err := p.Kernel()
	if err != nil {
		return err
	}
	if r.print {
		if r.out != "" {
			return file.Replace(r.out, []byte(k.Module.String()), 0o644)
		}
		_, err := fmt.Fprint(c.Stdout, k.Module)
		return err
	}
	if p.src == nil && r.plan {
		if r.json {
			return json.NewEncoder(c.Stdout).Encode(p.Plan)
		}
		_, err := fmt.Fprint(c.Stdout, p.Plan)
		return err
	}
	f, err := p.PredictKernel(k)
	if err != nil {
		return err
	}
	out := copyOutcome{Plan: p.Plan, Predicted: f}
	if !r.plan {
		if err := r.measure(ctx, c, p, &out); err != nil {
			return err
		}
	}
	if r.json {
		return json.NewEncoder(c.Stdout).Encode(out)
	}
	out.print(c.Stdout)
	if out.Wrong != "" {
		return command.ErrFailed
	}
	return nil
}

// measure runs the plan on a card.
func (r *copyRequest) measure(ctx context.Context, c *command.Call, p *copyPlan, out *copyOutcome) error {
	d, err := c.Open(r.device)
	if err != nil {
		return err
	}
	defer d.Close()
	b := &copyBench{d: d, rounds: r.rounds}
	defer b.close()
	if err := b.one(ctx, out, p.src, p.dst); err != nil {
		return err
	}
	if r.counters {
		out.Measured = countCopy(ctx, append(c.Args, "--counters=false", "--rounds=1"))
	}
	return nil
}
