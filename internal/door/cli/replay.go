package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"girih/internal/service"
)

// replay has the flags of sim --replay and check --replay.
type replay struct {
	dir      string
	launch   int // the number of the launch; -1 for all
	types    []string
	rel, abs float64

	files  map[string]int64 // the sizes of the files in the directory, by name
	names  []string         // the names of the PTX files
	texts  []string         // the texts of the PTX files
	number []int            // the numbers of the requested launches
}

func (r *replay) add(c *command) {
	f := c.Flags()
	f.StringVar(&r.dir, "replay", "", "run the launches that were recorded on a GPU into a `DIR`, see docs/simulator.md")
	f.IntVar(&r.launch, "launch", -1, "the `N` of the launch to replay; all if missing")
	f.StringArrayVar(&r.types, "type", nil, "compare buffers of --replay as elements of a `TYPE`, or one as buf2=TYPE")
	f.Float64Var(&r.rel, "rel", 0, "how far off an element of --replay may be, relative to the recorded one")
	f.Float64Var(&r.abs, "abs", 0, "how far off it may be in addition")
}

// check refuses flags that do not go together.
func (r *replay) check(c *command, q *service.SimRequest, args []string, run string) error {
	switch {
	case r.dir == "" && (r.launch >= 0 || len(r.types) > 0 || r.rel != 0 || r.abs != 0):
		return c.refuse("--launch, --type, --rel and --abs are about --replay DIR")
	case r.dir == "":
		return nil
	case run != "" || q.Init:
		return c.refuse("--replay has the description of each launch: it goes with neither --run nor --init")
	case !(r.rel >= 0) || !(r.abs >= 0):
		return c.refuse("expected bounds --rel and --abs from 0 on, found %v and %v", r.rel, r.abs)
	case (r.rel > 0 || r.abs > 0) && len(r.types) == 0:
		return c.refuse("--rel and --abs need the type of the elements: --type f16, or --type buf2=f16")
	case len(args) > 1:
		return c.refuse("%s takes one file of PTX, found %q too", c.Name(), args[1])
	}
	return nil
}

// each calls do for every requested launch, with the launch's request in q, and goes on after failures.
// It returns the error of the last failed launch.
func (r *replay) each(c *command, q *service.SimRequest, args []string, do func() error) error {
	if err := r.list(); err != nil {
		return &usageError{msg: err.Error()}
	}
	if err := r.ptx(args); err != nil {
		return &usageError{msg: err.Error()}
	}
	q.Open = func(name string, most int64) ([]byte, error) { return readRegular(filepath.Join(r.dir, name), most) }
	var worst error
	for _, n := range r.number {
		if err := r.read(q, n); err != nil {
			return &usageError{msg: fmt.Sprintf("%s: %v", filepath.Join(r.dir, launchFile(n)), err)}
		}
		if !c.asJSON && len(r.number) > 1 {
			if err := write(c.Command, fmt.Sprintf("launch %d\n", n)); err != nil {
				return err
			}
		}
		if err := do(); err != nil {
			if _, failed := errors.AsType[status](err); !failed {
				return err
			}
			worst = err
		}
	}
	return worst
}

func launchFile(n int) string { return strconv.Itoa(n) + ".json" }

// list finds the files of the recording and the requested launches.
func (r *replay) list() error {
	entries, err := os.ReadDir(r.dir)
	if err != nil {
		return err
	}
	r.files = map[string]int64{}
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(r.dir, e.Name()))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		r.files[e.Name()] = info.Size()
		n, err := strconv.Atoi(strings.TrimSuffix(e.Name(), ".json"))
		if err == nil && e.Name() == launchFile(n) && (r.launch < 0 || n == r.launch) {
			r.number = append(r.number, n)
		}
	}
	slices.Sort(r.number)
	switch {
	case len(r.number) == 0 && r.launch >= 0:
		return fmt.Errorf("%s has no launch %d: there is no %s", r.dir, r.launch, launchFile(r.launch))
	case len(r.number) == 0:
		return fmt.Errorf("%s has no recorded launch: expected files such as 0.json, 0.buf0.pre and 0.buf0.post", r.dir)
	}
	return nil
}

// maxReplayPTX limits the size of all PTX of a recording, in bytes.
const maxReplayPTX = 256 << 20

// ptx reads the PTX: the given file, or all files of the directory.
func (r *replay) ptx(args []string) error {
	r.names = args
	if len(args) == 0 {
		all := int64(0)
		for name, size := range r.files {
			if filepath.Ext(name) == ".ptx" {
				r.names = append(r.names, filepath.Join(r.dir, name))
				all += min(size, maxReplayPTX+1)
			}
		}
		if all > maxReplayPTX {
			return fmt.Errorf("expected at most %d bytes of PTX in %s, found more: name the file of the kernel",
				maxReplayPTX, r.dir)
		}
		slices.Sort(r.names)
	}
	for _, name := range r.names {
		text, err := readUpTo(name, service.MaxSimPTX)
		if err != nil {
			return err
		}
		r.texts = append(r.texts, string(text))
	}
	return nil
}

// read stores launch n in q.
func (r *replay) read(q *service.SimRequest, n int) error {
	text, err := readRegular(filepath.Join(r.dir, launchFile(n)), service.MaxSimRun)
	if err != nil {
		return err
	}
	var entry string
	q.Run, entry, err = service.SimRecording{
		Number: n, Text: text, Files: r.files, Types: r.types, Rel: r.rel, Abs: r.abs,
	}.Run()
	if err != nil {
		return err
	}
	i, err := service.SimPTXOf(entry, r.names, r.texts)
	if err != nil {
		return err
	}
	q.PTX = r.texts[i]
	return nil
}
