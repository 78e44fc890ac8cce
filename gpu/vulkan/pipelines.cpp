// SPDX-License-Identifier: Apache-2.0
#include "gpu/vulkan/pipelines.hpp"

#include <array>
#include <cstring>
#include <vector>

#include "core/base/log.hpp"
#include "core/base/os/paths.hpp"
#include "core/base/sha256.hpp"
#include "gpu/shaders.hpp"
#include "gpu/vulkan/limits.hpp"

namespace seedbed::gpu {

namespace {

constexpr std::uint64_t kMostCacheBytes = std::uint64_t{64} << 20;
constexpr std::size_t kHashDigits = 64;

// The file is the hash of the driver's data as text, then the data. Drivers may crash on damaged data.
std::string readCache(const Path& file) {
    if (file.empty()) return {};
    RealFileSystem files;
    const auto info = files.info(file);
    if (!info || !*info) return {};
    const auto text = readFile(files, file, kMostCacheBytes);
    if (text && text->size() > kHashDigits) {
        std::string data = text->substr(kHashDigits);
        if (sha256Hex(data) == text->substr(0, kHashDigits)) return data;
    }
    log::info("ignored a damaged cache of Vulkan pipelines", {{"file", file.string()}});
    return {};
}

// Removes the caches of the same device that other drivers or versions of the kernels wrote, before `file`.
void removeOldCaches(const Path& file) {
    RealFileSystem files;
    const auto found = files.list(file.parent_path());
    if (!found) return;
    const std::string name = file.filename().string();
    const std::string device = name.substr(0, name.rfind('-') + 1);
    for (const FileInfo& each : *found)
        if (each.kind == FileInfo::Kind::file && each.name != name && each.name.starts_with(device) &&
            each.name.ends_with(".bin"))
            static_cast<void>(files.remove(file.parent_path() / each.name));
}

}  // namespace

Path Pipelines::cacheFile(const VkPhysicalDeviceProperties& properties) {
    const auto folders = userFolders(std::nullopt);
    if (!folders) return {};
    const std::string device =
        std::to_string(properties.vendorID) + "-" + std::to_string(properties.deviceID);
    std::string build(reinterpret_cast<const char*>(properties.pipelineCacheUUID), VK_UUID_SIZE);
    build += std::to_string(properties.driverVersion) + " " + shadersHash();
    return folders->cache / ("vulkan-" + device + "-" + sha256Hex(build).substr(0, 16) + ".bin");
}

Pipelines::Pipelines(const Api& api, VkDevice device, const VkPhysicalDeviceProperties& properties)
    : api_(api), device_(device), file_(cacheFile(properties)) {}

Result<> Pipelines::open() {
    std::array<VkDescriptorSetLayoutBinding, kBindings> bindings{};
    for (std::uint32_t i = 0; i < kBindings; ++i) {
        bindings[i].binding = i;
        bindings[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        bindings[i].descriptorCount = 1;
        bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    }
    VkDescriptorSetLayoutCreateInfo set{};
    set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    set.bindingCount = kBindings;
    set.pBindings = bindings.data();
    SEEDBED_VK(api_, vkCreateDescriptorSetLayout(device_, &set, nullptr, &set_layout_),
               "creating a descriptor layout");
    const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, kPushBytes};
    VkPipelineLayoutCreateInfo layout{};
    layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &set_layout_;
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &push;
    SEEDBED_VK(api_, vkCreatePipelineLayout(device_, &layout, nullptr, &layout_),
               "creating a pipeline layout");
    return createCache();
}

Result<> Pipelines::createCache() {
    const std::string data = readCache(file_);
    VkPipelineCacheCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    if (!data.empty() && api_.vkCreatePipelineCache(device_, &info, nullptr, &cache_) == VK_SUCCESS)
        return {};
    // Some drivers refuse data instead of ignoring it.
    info.initialDataSize = 0;
    info.pInitialData = nullptr;
    SEEDBED_VK(api_, vkCreatePipelineCache(device_, &info, nullptr, &cache_), "creating a pipeline cache");
    return {};
}

Result<VkPipeline> Pipelines::pipeline(std::string_view name) {
    const MutexLock lock(mutex_);
    if (const auto known = pipelines_.find(name); known != pipelines_.end()) return known->second;
    const Shader& shader = shaderNamed(name);
    const std::string what = "compiling the kernel '" + std::string(name) + "'";
    VkShaderModuleCreateInfo module{};
    module.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    module.codeSize = shader.words * sizeof(std::uint32_t);
    module.pCode = shader.code;
    VkComputePipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.pName = "main";
    info.layout = layout_;
    SEEDBED_VK(api_, vkCreateShaderModule(device_, &module, nullptr, &info.stage.module), what);
    VkPipeline made = VK_NULL_HANDLE;
    const VkResult result = api_.vkCreateComputePipelines(device_, cache_, 1, &info, nullptr, &made);
    api_.vkDestroyShaderModule(device_, info.stage.module, nullptr);
    if (result != VK_SUCCESS) return api_.error(result, "vkCreateComputePipelines", what);
    compiled_ = true;
    pipelines_.emplace(name, made);
    return made;
}

void Pipelines::save() {
    if (file_.empty()) return;
    std::size_t size = 0;
    if (api_.vkGetPipelineCacheData(device_, cache_, &size, nullptr) != VK_SUCCESS) return;
    std::string data(size, '\0');
    if (api_.vkGetPipelineCacheData(device_, cache_, &size, data.data()) != VK_SUCCESS) return;
    data.resize(size);
    RealFileSystem files;
    const std::string text = sha256Hex(data) + data;
    Result<> saved = makeFolders(files, file_.parent_path());
    if (saved) saved = writeFileAtomically(files, file_, text);
    if (!saved) log::debug("the cache of Vulkan pipelines was not saved", {{"reason", saved.error().text()}});
    else removeOldCaches(file_);
}

Pipelines::~Pipelines() {
    const MutexLock lock(mutex_);
    if (abandoned_) return;
    if (compiled_ && cache_ != VK_NULL_HANDLE) save();
    for (const auto& [name, pipeline] : pipelines_) api_.vkDestroyPipeline(device_, pipeline, nullptr);
    if (cache_ != VK_NULL_HANDLE) api_.vkDestroyPipelineCache(device_, cache_, nullptr);
    if (layout_ != VK_NULL_HANDLE) api_.vkDestroyPipelineLayout(device_, layout_, nullptr);
    if (set_layout_ != VK_NULL_HANDLE) api_.vkDestroyDescriptorSetLayout(device_, set_layout_, nullptr);
}

}  // namespace seedbed::gpu
