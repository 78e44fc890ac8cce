// SPDX-License-Identifier: Apache-2.0
// Pickles, archives that contain pickles, and programs.
#include <array>
#include <cstdint>
#include <utility>

#include "tests/unit/import/hostile_policies.hpp"

namespace seedbed::testing {
namespace {

template <class T>
std::string littleEndian(T value) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof value; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
    return bytes;
}

std::uint32_t crc32(const std::string& text) {
    std::uint32_t crc = ~std::uint32_t{0};
    for (const char letter : text) {
        crc ^= static_cast<std::uint8_t>(letter);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xedb88320 & (0 - (crc & 1)));
    }
    return ~crc;
}

// A ZIP archive without compression.
std::string zip(const std::map<std::string, std::string>& files) {
    std::string archive, directory;
    for (const auto& [name, text] : files) {
        const std::string sizes =
            littleEndian(crc32(text)) + littleEndian(static_cast<std::uint32_t>(text.size())) +
            littleEndian(static_cast<std::uint32_t>(text.size())) +
            littleEndian(static_cast<std::uint16_t>(name.size())) + std::string(2, '\0');
        const std::string common = std::string("\x14\0\0\0\0\0\0\0\0\0", 10) + sizes;
        directory += "PK\1\2" + std::string("\x14\0", 2) + common + std::string(10, '\0') +
                     littleEndian(static_cast<std::uint32_t>(archive.size())) + name;
        archive += "PK\3\4" + common + name + text;
    }
    const auto count = littleEndian(static_cast<std::uint16_t>(files.size()));
    return archive + directory + "PK\5\6" + std::string(4, '\0') + count + count +
           littleEndian(static_cast<std::uint32_t>(directory.size())) +
           littleEndian(static_cast<std::uint32_t>(archive.size())) + std::string(2, '\0');
}

// A tar archive, as torch.save wrote before version 0.1.10.
std::string tar(const std::map<std::string, std::string>& files) {
    std::string archive;
    for (const auto& [name, text] : files) {
        std::string header(512, '\0');
        header.replace(0, name.size(), name);
        header.replace(100, 8, std::string("0000644\0", 8));
        std::string size;
        for (std::size_t rest = text.size(), i = 0; i < 11; ++i, rest /= 8)
            size.insert(size.begin(), static_cast<char>('0' + rest % 8));
        header.replace(124, 11, size);
        header.replace(148, 8, "        ");
        header.replace(257, 5, "ustar");
        unsigned sum = 0;
        for (const char letter : header) sum += static_cast<std::uint8_t>(letter);
        std::string octal;
        for (int i = 0; i < 6; ++i, sum /= 8) octal.insert(octal.begin(), static_cast<char>('0' + sum % 8));
        header.replace(148, 7, octal + std::string(1, '\0'));
        archive += header + text + std::string((512 - text.size() % 512) % 512, '\0');
    }
    return archive + std::string(1024, '\0');
}

// A pickle that calls os.system(command), in protocol 0 (with REDUCE or INST), 2 or 4.
std::string pickle(int protocol, const std::string& command) {
    const auto length = static_cast<std::uint32_t>(command.size());
    switch (protocol) {
        case 0: return "cos\nsystem\n(S'" + command + "'\ntR.";
        case 1: return "(S'" + command + "'\nios\nsystem\n.";
        case 2:
            return "\x80\x02"
                   "cposix\nsystem\nX" +
                   littleEndian(length) + command + "\x85R.";
        default: return "\x80\x04\x8c\x02os\x8c\x06system\x93X" + littleEndian(length) + command + "\x85R.";
    }
}

// An array of objects, which numpy.load(allow_pickle=True) unpickles.
std::string npy(const std::string& command) {
    std::string header = "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }";
    header.resize(117, ' ');
    return std::string("\x93NUMPY\1\0", 8) + littleEndian(static_cast<std::uint16_t>(header.size() + 1)) +
           header + "\n" + pickle(2, command);
}

// The beginning of an x86-64 shared library.
std::string elf() {
    std::string file = std::string(
        "\x7f"
        "ELF\2\1\1\0\0\0\0\0\0\0\0\0",
        16);
    file += littleEndian(std::uint16_t{3}) + littleEndian(std::uint16_t{62}) + littleEndian(std::uint32_t{1});
    return file + std::string(4096, '\x90');
}

struct Program {
    const char* name;
    const char* extension;  // the usual extension
    std::string bytes;
};

std::vector<Program> programs(const std::string& trace) {
    const std::string command = "touch " + trace;
    const std::string script = "import os\nos.system('" + command + "')\n";
    const std::string loaded = pickle(2, command);
    return {{"pickle-protocol-0", ".pkl", pickle(0, command)},
            {"pickle-inst", ".pickle", pickle(1, command)},
            {"pickle-protocol-2", ".pth", loaded},
            {"pickle-protocol-4", ".ckpt", pickle(4, command)},
            {"torch-zip", ".pt",
             zip({{"archive/data.pkl", loaded}, {"archive/version", "3\n"}, {"archive/data/0", "1234"}})},
            {"torchscript", ".pt",
             zip({{"m/data.pkl", loaded}, {"m/constants.pkl", loaded}, {"m/code/__torch__.py", script}})},
            {"torch-tar", ".bin", tar({{"pickle", loaded}, {"storages", loaded}, {"tensors", loaded}})},
            {"numpy-objects", ".npy", npy(command)},
            {"numpy-archive", ".npz", zip({{"weights.npy", npy(command)}})},
            {"zip-with-path-escape", ".zip", zip({{"../../escaped", "x"}, {"/tmp/escaped", "x"}})},
            {"keras-lambda", ".h5",
             "\x89HDF\r\n\x1a\n" + std::string(64, '\0') +
                 R"({"class_name": "Lambda", "config": {"function": ")" + script + "\"}}"},
            {"shared-library", ".so", elf()},
            {"shell-script", ".sh", "#!/bin/sh\n" + command + "\n"},
            {"python-script", ".py", script},
            {"gguf-template", ".gguf",
             "GGUF" + littleEndian(std::uint32_t{3}) + "{{ self.__init__.__globals__['os'].system('" +
                 command + "') }}"}};
}

}  // namespace

std::vector<HostilePolicy> hostilePrograms(const GoodPolicy& good, const std::filesystem::path& trace) {
    const std::string config = good.files.at("config.json"), model = good.files.at("model.safetensors");
    std::vector<HostilePolicy> cases;
    for (const auto& [name, extension, bytes] : programs(trace.string())) {
        const std::string own = "policy" + std::string(extension);
        // .npy, .so, .sh, .py and .gguf are read as if they were tensors.
        const std::string only = extension == std::string(".npy") || extension == std::string(".so") ||
                                         extension == std::string(".sh") || extension == std::string(".py") ||
                                         extension == std::string(".gguf")
                                     ? ""
                                     : "only safetensors";
        const std::string prefix = name;
        cases.push_back({prefix, {{own, bytes}, {"config.json", config}}, {}, own, only});
        cases.push_back(
            {prefix + "-as-onnx", {{"policy.onnx", bytes}}, {}, "policy.onnx", "only safetensors"});
        cases.push_back({prefix + "-as-safetensors",
                         {{"model.safetensors", bytes}, {"config.json", config}},
                         {},
                         "model.safetensors",
                         "model.safetensors"});
        cases.push_back({prefix + "-as-description",
                         {{"model.safetensors", model}, {"config.json", bytes}},
                         {},
                         "",
                         "config.json"});
        cases.push_back({prefix + "-as-manifest",
                         {{"model.safetensors", model}, {"config.json", config}, {"manifest.json", bytes}},
                         {},
                         "",
                         "manifest.json' is damaged"});
        // Two formats in one file: archive readers look for the directory at the end.
        cases.push_back({prefix + "-behind-the-tensors",
                         {{"model.safetensors", model + bytes}, {"config.json", config}},
                         {},
                         "model.safetensors",
                         "belong to no tensor"});
    }
    cases.push_back({"upper-case-extension",
                     {{"MODEL.PT", model}, {"config.json", config}},
                     {},
                     "MODEL.PT",
                     "only safetensors"});
    return cases;
}

}  // namespace seedbed::testing
