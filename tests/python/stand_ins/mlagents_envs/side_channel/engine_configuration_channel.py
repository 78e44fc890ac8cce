# SPDX-License-Identifier: Apache-2.0
class EngineConfigurationChannel:
    def set_configuration_parameters(self, time_scale=None):
        self.time_scale = time_scale
