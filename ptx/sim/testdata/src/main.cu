// Runs one kernel of the corpus by the driver, from the PTX that is kept.
//
//   corpus list                         the names, each with sound or broken
//   corpus run NAME PTXS SOURCES OUT    runs it and writes OUT/NAME.json and OUT/NAME.BUFFER.out
//   corpus describe NAME PTXS SOURCES OUT  only the first; a broken kernel is never run
//
// The last line it prints is: NAME, what came of it (ok, WRONG, FAILED, described), how many bytes it wrote.
#include <cuda.h>
#include <dlfcn.h>
#include <stdlib.h>

#include "harness.h"

std::vector<Case *> cases;

static std::string quote(const std::string &s) { return "\"" + s + "\""; }
template <class T> static std::string list(const std::vector<T> &v) {
  std::string s = "[";
  for (size_t i = 0; i < v.size(); i++) s += (i ? ", " : "") + std::to_string(v[i]);
  return s + "]";
}
static std::string hex(const Bytes &b) {
  std::string s;
  char t[3];
  for (uint8_t x : b) snprintf(t, 3, "%02x", x), s += t;
  return s;
}
static std::string number(double v) {
  char t[32];
  snprintf(t, sizeof t, "%.9g", v);
  return t;
}

static bool readFile(const std::string &path, std::string &text) {
  FILE *f = fopen(path.c_str(), "rb");
  if (!f) return false;
  char buf[65536];
  size_t n;
  text.clear();
  while ((n = fread(buf, 1, sizeof buf, f)) > 0) text.append(buf, n);
  return fclose(f) == 0;
}
static bool writeFile(const std::string &path, const void *data, size_t n) {
  FILE *f = fopen(path.c_str(), "wb");
  if (!f) return false;
  bool ok = fwrite(data, 1, n, f) == n;
  return (fclose(f) == 0) && ok;
}

// The marks "// BUG: kinds" between the line of the entry and the next kernel, as JSON.
static std::string findings(const Case &c, const std::string &text) {
  std::string out;
  bool inside = false;
  int line = 0;
  for (size_t at = 0; at < text.size(); line++) {
    size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    std::string l = text.substr(at, end - at);
    at = end + 1;
    size_t e = l.find(c.entry + "(");
    if (e != std::string::npos && (e == 0 || l[e - 1] == ' ')) inside = true;
    else if (l.compare(0, 6, "KERNEL") == 0) inside = false;
    size_t bug = l.find("// BUG: ");
    if (!inside || bug == std::string::npos) continue;
    std::string kinds = l.substr(bug + 8), k;
    for (size_t i = 0; i <= kinds.size(); i++) {
      if (i < kinds.size() && kinds[i] != ' ') {
        k += kinds[i];
        continue;
      }
      if (!k.empty()) out += std::string(out.empty() ? "" : ", ") + "{\"kind\": " + quote(k) + ", \"line\": " + std::to_string(line + 1) + "}";
      k.clear();
    }
  }
  return out;
}

static std::string describe(const Case &c, const std::string &source) {
  std::string s = "{\n  \"name\": " + quote(c.name) + ",\n  \"ptx\": " + quote(c.file + ".ptx") + ",\n  \"source\": " + quote(c.file + ".cu") +
                  ",\n  \"entry\": " + quote(c.entry) + ",\n  \"grid\": " + list(c.grid) + ",\n  \"block\": " + list(c.block) +
                  ",\n  \"cluster\": " + list(c.cluster) + ",\n  \"shared\": " + std::to_string(c.shared) + ",\n  \"buffers\": [";
  for (size_t i = 0; i < c.buffers.size(); i++) {
    const Buffer &b = c.buffers[i];
    s += std::string(i ? "," : "") + "\n    {\"name\": " + quote(b.name) + ", \"type\": " + quote(b.type) + ", \"bytes\": " +
         std::to_string(b.before.size()) + ", \"fill\": {\"kind\": " + quote(b.fill.kind);
    if (b.fill.kind == "byte") s += ", \"value\": " + std::to_string(b.fill.value);
    if (b.fill.kind == "bits" || b.fill.kind == "lcg") s += ", \"seed\": " + std::to_string(b.fill.seed);
    if (b.fill.kind == "lcg")
      s += ", \"mod\": " + std::to_string(b.fill.mod) + ", \"sub\": " + std::to_string(b.fill.sub) + ", \"scale\": " + std::to_string(b.fill.scale);
    s += "}}";
  }
  s += "\n  ],\n  \"params\": [";
  for (size_t i = 0; i < c.params.size(); i++) {
    const Param &p = c.params[i];
    s += std::string(i ? "," : "") + "\n    {\"kind\": " + quote(p.kind);
    if (p.kind == "scalar") s += ", \"type\": " + quote(p.type) + ", \"bytes\": " + quote(hex(p.raw));
    if (p.kind == "buffer") s += ", \"buffer\": " + quote(p.buffer) + ", \"offset\": 0";
    if (p.kind == "map")
      s += ", \"type\": " + quote(p.map.type) + ", \"dims\": " + list(p.map.dims) + ", \"strides\": " + list(p.map.strides) + ", \"box\": " +
           list(p.map.box) + ", \"element_strides\": " + list(p.map.steps) + ", \"interleave\": \"none\", \"swizzle\": " + quote(p.map.swizzle) +
           ", \"l2_promotion\": \"none\", \"oob_fill\": \"zero\", \"buffer\": " + quote(p.map.buffer) + ", \"offset\": 0";
    s += "}";
  }
  s += "\n  ],\n  \"outputs\": [";
  bool first = true;
  for (const Buffer &b : c.buffers) {
    if (!b.written) continue;
    s += std::string(first ? "" : ",") + "\n    {\"buffer\": " + quote(b.name);
    if (!c.broken) s += ", \"file\": " + quote(c.name + "." + b.name + ".out");
    if (c.rel != 0 || c.abs != 0) s += ", \"rel\": " + number(c.rel) + ", \"abs\": " + number(c.abs);
    s += "}";
    first = false;
  }
  s += "\n  ]";
  if (c.broken) s += ",\n  \"findings\": [" + findings(c, source) + "]";
  return s + "\n}\n";
}

// The driver's functions, found at run time so that nothing has to be linked.
static void *library;
template <class F> static F symbol(const char *name) {
  F f = library ? (F)dlsym(library, name) : nullptr;
  if (!f) throw std::string("the driver has no ") + name;
  return f;
}
static void must(CUresult r, const char *what) {
  if (r == CUDA_SUCCESS) return;
  const char *text = "";
  auto name = library ? (decltype(&cuGetErrorName))dlsym(library, "cuGetErrorName") : nullptr;
  if (name) name(r, &text);
  throw std::string(what) + ": " + (text ? text : "") + " (" + std::to_string((int)r) + ")";
}

static CUtensorMap encode(Case &c, const Map &m) {
  CUtensorMapDataType type = m.type == "f32"    ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32
                             : m.type == "f16"  ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                             : m.type == "bf16" ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                             : m.type == "u32"  ? CU_TENSOR_MAP_DATA_TYPE_UINT32
                             : m.type == "s32"  ? CU_TENSOR_MAP_DATA_TYPE_INT32
                             : m.type == "u16"  ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                                                : CU_TENSOR_MAP_DATA_TYPE_UINT8;
  CUtensorMapSwizzle swizzle = m.swizzle == "128B"  ? CU_TENSOR_MAP_SWIZZLE_128B
                               : m.swizzle == "64B" ? CU_TENSOR_MAP_SWIZZLE_64B
                               : m.swizzle == "32B" ? CU_TENSOR_MAP_SWIZZLE_32B
                                                    : CU_TENSOR_MAP_SWIZZLE_NONE;
  alignas(64) CUtensorMap map;
  std::vector<cuuint64_t> dims(m.dims.begin(), m.dims.end()), strides(m.strides.begin(), m.strides.end());
  std::vector<cuuint32_t> box(m.box.begin(), m.box.end()), steps(m.steps.begin(), m.steps.end());
  strides.push_back(0);
  auto tiled = symbol<decltype(&cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled");
  must(tiled(&map, type, (cuuint32_t)dims.size(), (void *)c.find(m.buffer)->device, dims.data(), strides.data(), box.data(), steps.data(),
             CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
       "cuTensorMapEncodeTiled");
  return map;
}

static void launch(Case &c, const std::string &ptx) {
  library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (!library) throw std::string("no libcuda.so.1: ") + dlerror();
  auto init = symbol<decltype(&cuInit)>("cuInit");
  auto deviceGet = symbol<decltype(&cuDeviceGet)>("cuDeviceGet");
  auto retain = symbol<decltype(&cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain");
  auto current = symbol<decltype(&cuCtxSetCurrent)>("cuCtxSetCurrent");
  auto load = symbol<decltype(&cuModuleLoadDataEx)>("cuModuleLoadDataEx");
  auto function = symbol<decltype(&cuModuleGetFunction)>("cuModuleGetFunction");
  auto attribute = symbol<decltype(&cuFuncSetAttribute)>("cuFuncSetAttribute");
  auto alloc = symbol<CUresult (*)(CUdeviceptr *, size_t)>("cuMemAlloc_v2");
  auto toDevice = symbol<CUresult (*)(CUdeviceptr, const void *, size_t)>("cuMemcpyHtoD_v2");
  auto toHost = symbol<CUresult (*)(void *, CUdeviceptr, size_t)>("cuMemcpyDtoH_v2");
  auto start = symbol<decltype(&cuLaunchKernelEx)>("cuLaunchKernelEx");
  auto wait = symbol<CUresult (*)()>("cuCtxSynchronize");

  CUdevice device;
  CUcontext context;
  must(init(0), "cuInit");
  must(deviceGet(&device, 0), "cuDeviceGet");
  must(retain(&context, device), "cuDevicePrimaryCtxRetain");
  must(current(context), "cuCtxSetCurrent");

  static char log[8192];
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  CUmodule module;
  CUresult r = load(&module, ptx.c_str(), 2, options, values);
  if (r != CUDA_SUCCESS) printf("# %s\n", log);
  must(r, "cuModuleLoadDataEx");
  CUfunction f;
  must(function(&f, module, c.entry.c_str()), "cuModuleGetFunction");
  if (c.shared > 48 * 1024) must(attribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, c.shared), "cuFuncSetAttribute");

  for (Buffer &b : c.buffers) {
    CUdeviceptr p;
    must(alloc(&p, b.before.size()), "cuMemAlloc");
    b.device = p;
    must(toDevice(p, b.before.data(), b.before.size()), "cuMemcpyHtoD");
  }
  std::vector<CUtensorMap> maps(c.params.size());
  std::vector<uint64_t> pointers(c.params.size());
  std::vector<void *> args(c.params.size());
  for (size_t i = 0; i < c.params.size(); i++) {
    Param &p = c.params[i];
    if (p.kind == "scalar") args[i] = p.raw.data();
    if (p.kind == "buffer") pointers[i] = c.find(p.buffer)->device, args[i] = &pointers[i];
    if (p.kind == "map") maps[i] = encode(c, p.map), args[i] = &maps[i];
  }
  CUlaunchConfig config;
  memset(&config, 0, sizeof config);
  config.gridDimX = c.grid[0], config.gridDimY = c.grid[1], config.gridDimZ = c.grid[2];
  config.blockDimX = c.block[0], config.blockDimY = c.block[1], config.blockDimZ = c.block[2];
  config.sharedMemBytes = c.shared;
  CUlaunchAttribute cluster;
  memset(&cluster, 0, sizeof cluster);
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim.x = c.cluster[0], cluster.value.clusterDim.y = c.cluster[1], cluster.value.clusterDim.z = c.cluster[2];
  if (c.cluster[0] * c.cluster[1] * c.cluster[2] > 1) config.attrs = &cluster, config.numAttrs = 1;
  must(start(&config, f, args.data(), nullptr), "cuLaunchKernelEx");
  must(wait(), "cuCtxSynchronize");
  for (Buffer &b : c.buffers) {
    b.after.resize(b.before.size());
    must(toHost(b.after.data(), b.device, b.after.size()), "cuMemcpyDtoH");
  }
}

int main(int argc, char **argv) {
  soundCases();
  soundTensorCases();
  brokenCases();
  std::string verb = argc > 1 ? argv[1] : "";
  if (verb == "list") {
    for (Case *c : cases) printf("%s %s\n", c->broken ? "broken" : "sound", c->name.c_str());
    return 0;
  }
  if (argc != 6 || (verb != "run" && verb != "describe")) {
    fprintf(stderr, "usage: corpus list | run|describe NAME PTXS SOURCES OUT\n");
    return 2;
  }
  for (Case *c : cases) {
    if (c->name != argv[2]) continue;
    std::string out = std::string(argv[5]) + "/" + c->name, result = "described", ptx, source;
    size_t written = 0;
    try {
      if (!readFile(std::string(argv[4]) + "/" + c->file + ".cu", source)) throw std::string("no source");
      std::string text = describe(*c, source);
      if (!writeFile(out + ".json", text.data(), text.size())) throw std::string("cannot write ") + out + ".json";
      written = text.size();
      if (verb == "run" && !c->broken) {
        if (!readFile(std::string(argv[3]) + "/" + c->file + ".ptx", ptx)) throw std::string("no PTX");
        launch(*c, ptx);
        bool untouched = true;
        for (Buffer &b : c->buffers) {
          if (!b.written && b.before != b.after) untouched = false, printf("# %s: %s was written\n", c->name.c_str(), b.name.c_str());
          if (!b.written) continue;
          if (!writeFile(out + "." + b.name + ".out", b.after.data(), b.after.size())) throw std::string("cannot write an output");
          written += b.after.size();
        }
        result = c->check(*c) && untouched ? "ok" : "WRONG";
      }
    } catch (const std::string &why) {
      printf("# %s: %s\n", c->name.c_str(), why.c_str());
      result = "FAILED";
    }
    printf("%s %s %zu\n", c->name.c_str(), result.c_str(), written);
    fflush(stdout);
    _Exit(0);  // a context in error may not come down well
  }
  fprintf(stderr, "no kernel %s\n", argv[2]);
  return 2;
}
