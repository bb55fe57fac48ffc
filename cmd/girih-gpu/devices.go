package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"text/tabwriter"

	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/terminal"
)

var devices = command.Command{Name: "devices", Args: "[--json]", Help: "list the cards", Run: listDevices}

func listDevices(_ context.Context, c *command.Call) error {
	asJSON := false
	if _, err := c.Flags(0, func(fs *flag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "") }); err != nil {
		return err
	}
	infos, err := c.Devices()
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(c.Stdout).Encode(infos)
	}
	return table(c.Stdout, infos)
}

// table prints a line for each card. A dash replaces what the driver does not report.
func table(w io.Writer, infos []gpu.Info) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "#\tname\tchip\tmemory\tL2\tSMs\tSM clock\tmemory clock\tdriver\tCUDA")
	for _, i := range infos {
		fmt.Fprintf(t, "%d\t%s\t%s\t%.1f GiB\t%d MiB\t%d\t%s\t%s\t%s\t%s\n", i.Index, terminal.Clean(i.Name), i.Chip,
			float64(i.Memory)/(1<<30), i.L2>>20, i.SMs,
			clock(i.State.SMMHz, i.MaxSMMHz), clock(i.State.MemoryMHz, i.MaxMemoryMHz), command.Dash(i.Driver), i.CUDA)
	}
	return t.Flush()
}

// clock returns the clock now and the highest one.
func clock(now, most int) string {
	if now == 0 && most == 0 {
		return "-"
	}
	return fmt.Sprintf("%s of %d MHz", command.Dash(command.NumberOrNone(now)), most)
}
