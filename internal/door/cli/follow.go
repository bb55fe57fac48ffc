package cli

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// followCommand takes the values of the kernel's integers, and reads the files of PTX, of its run and of a kernel.
func followCommand(c *command) {
	q, run := c.request.(*service.FollowRequest), ""
	set := c.setFlag("run the kernel with these values of its integers, as in `m=128`,n=128,k=192")
	c.Flags().StringVar(&run, "run", "", "of PTX, the description of the run, a `FILE`")
	c.RunE = func(*cobra.Command, []string) error {
		if err := set(); err != nil {
			return err
		}
		if !c.Flags().Changed("thread") {
			q.Thread = nil
		}
		if err := readFollowed(q, run); err != nil {
			return &usageError{msg: err.Error()}
		}
		return c.print(c.ask())
	}
}

// readFollowed reads the files of a request: what looks like a kernel may be the name of a file.
func readFollowed(q *service.FollowRequest, run string) error {
	if run != "" {
		text, err := readUpTo(run, service.MaxSimRun)
		if err != nil {
			return err
		}
		q.Run, q.Open = string(text), openBeside(run)
		if q.Kernel == "" {
			name, err := service.SimPTX(q.Run)
			if err != nil {
				return err
			}
			ptx, err := q.Open(name, service.MaxSimPTX)
			q.PTX = string(ptx)
			return err
		}
	}
	into := map[string]*string{
		".ptx": &q.PTX, ".json": &q.JSON, ".cu": &q.Program, ".cuh": &q.Program, ".cpp": &q.Program, ".py": &q.Program,
	}[strings.ToLower(filepath.Ext(q.Kernel))]
	if into == nil {
		return nil
	}
	text, err := readUpTo(q.Kernel, service.MaxSimPTX)
	if err != nil {
		return err
	}
	if into == &q.Program {
		q.File = filepath.Base(q.Kernel)
	}
	*into, q.Kernel = string(text), ""
	return nil
}

// openBeside returns the reader of files whose names are relative to the folder of a file.
func openBeside(file string) func(name string, most int64) ([]byte, error) {
	return func(name string, most int64) ([]byte, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(file), name)
		}
		return readRegular(name, most)
	}
}
