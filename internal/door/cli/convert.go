package cli

import (
	"github.com/spf13/cobra"

	"girih/internal/service"
)

func convertCommand() *cobra.Command {
	var asJSON bool
	req := service.ConvertRequest{}
	c := &cobra.Command{
		Use:   "convert R1 R2",
		Short: "Plan the conversion between two register layouts",
		Long: `Plan how the elements of a tensor move from the register layout R1 to R2: not at
all, between the registers of a thread, by warp shuffles, or through shared
memory, and what that costs. Register layouts are linear layouts of register,
lane, warp and block, or encodings of Triton with the --shape of the tensor.`,
		Example: `  girih convert --type f32 'linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}' 'linear{register=[[4],[2]], lane=[[1],[8]], out=[dim0:16]}'
  girih convert --type f16 --shape 64,64 'blocked{sizePerThread=[1,8], threadsPerWarp=[4,8], warpsPerCTA=[4,1], order=[1,0]}' 'nvidia_mma{versionMajor=2, versionMinor=0, warpsPerCTA=[4,1], instrShape=[16,8]}'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return &usageError{msg: "convert needs two register layouts", hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			req.From, req.To = args[0], args[1]
			r := s.Convert(req)
			return reply{response: r, ok: r.OK, text: r.Text, notes: r.Notes, fault: service.Fault{In: r.Faulty}, err: r.Error}.print(c, asJSON)
		},
	}
	c.Flags().StringVar(&req.Type, "type", "f32", "the element `TYPE`")
	integersFlag(c, &req.Shape, "shape", "the `SHAPE` of the tensor, for encodings, such as 128,64")
	c.Flags().IntVar(&req.Banks, "banks", 32, "the `NUMBER` of banks of shared memory")
	jsonFlag(c, &asJSON)
	return c
}
